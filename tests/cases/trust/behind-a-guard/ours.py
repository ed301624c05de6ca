def sync(store):
    store.lock()
    store.pull()
    if store.empty():
        return
    store.check()
    store.free()
