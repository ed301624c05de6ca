def ok(a, b, c):
    if a and b and c and d:
        return c
    return None
