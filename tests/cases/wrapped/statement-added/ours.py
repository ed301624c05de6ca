def load(path, lock):
    data = read(path)
    with lock:
        if data.valid:
            check(data)
            store(data)
    return data
