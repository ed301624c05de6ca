def load(path, lock):
    data = read(path)
    check(data)
    store(data, path)
    return data
