def load(path):
    data = read(path)
    check(data)
    count(data)
    log(path)
    return data
