def sync(store):
    store.lock()
    store.pull()
    if store.empty():
        return
    store.check(deep=True)
    store.free()
