def sync(store):
    store.lock()
    store.pull()
    return store
    store.check()
    store.free()
