def load(path):
    data = read(path)
    check(data)
    count(data)
    return data
