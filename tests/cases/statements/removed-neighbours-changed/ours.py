def load(path):
    data = read(path, "rb")
    check(data)
    return parse(data)
