def sync(store):
    store.lock()
    store.pull()
    raise NotImplementedError
    store.check()
    store.free()
