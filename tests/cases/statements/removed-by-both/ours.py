def load(path):
    data = read(path, "rb")
    return data
