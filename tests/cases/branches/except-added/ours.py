def read(path):
    try:
        return parse(path, strict=True)
    except OSError:
        return None
