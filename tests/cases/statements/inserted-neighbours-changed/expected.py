def load(path):
    data = read(path)
    check(data, strict=True)
    log(path)
    return data
