def load(path):
    with lock:
        data = read(path)
        check(data)
        log(path)
    return data
