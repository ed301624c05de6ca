def load(path, lock):
    data = read(path)
    with lock:
        if data.valid:
            check(data)
            log(data)
            store(data)
    return data
