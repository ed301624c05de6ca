def read(path):
    try:
        return parse(path)
    except OSError:
        return None
