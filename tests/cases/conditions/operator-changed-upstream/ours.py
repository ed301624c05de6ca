def ok(a, b, c):
    if a or b:
        return c
    return None
