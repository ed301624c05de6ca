def sync(store):
    store.lock()
    store.pull()
    store.check()
    store.free()
