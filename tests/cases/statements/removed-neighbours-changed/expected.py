def load(path):
    data = read(path, "rb")
    return parse(data)
