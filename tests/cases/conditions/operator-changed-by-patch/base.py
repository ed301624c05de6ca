def ok(a, b, c):
    if a and b:
        return c
    return None
