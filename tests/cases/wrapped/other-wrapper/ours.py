def load(path, lock):
    data = read(path)
    with lock:
        check(data)
        store(data)
    return data
