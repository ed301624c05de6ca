def ok(a, b, c):
    if not (a and b):
        return c
    return None
