def load(path):
    data = read(path)
    check(data)
    if VERBOSE:
        log(path)
    return data
