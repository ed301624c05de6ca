def load(path):
    data = read(path)
    validate(data)
    return data
