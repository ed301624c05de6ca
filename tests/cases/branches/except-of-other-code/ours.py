def read(path):
    try:
        path = resolve(path)
    except ValueError:
        return None
    return parse(path)
