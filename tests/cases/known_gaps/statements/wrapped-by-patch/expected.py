def load(path):
    try:
        data = read(path)
        check(data, strict=True)
    except OSError:
        return None
    return data
