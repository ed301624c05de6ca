def load(path):
    data = read(path)
    check(data, strict=True)
    return data
