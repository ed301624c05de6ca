def load(path):
    with lock:
        data = read(path)
        check(data)
    return data
