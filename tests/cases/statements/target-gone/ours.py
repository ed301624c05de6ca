def load(path):
    data = read(path)
    return data
