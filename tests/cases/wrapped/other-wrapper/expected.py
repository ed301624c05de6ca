def load(path, lock):
    data = read(path)
    with lock:
        check(data)
        store(data, path)
    return data
