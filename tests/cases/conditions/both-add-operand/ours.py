def ok(a, b, c):
    if a and b and d:
        return c
    return None
