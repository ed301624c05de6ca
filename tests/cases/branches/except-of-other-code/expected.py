def read(path):
    try:
        path = resolve(path)
    except (ValueError, KeyError):
        return None
    return parse(path)
