def load(path, lock):
    data = read(path)
    if data.valid:
        check(data)
        store(data)
    return data
