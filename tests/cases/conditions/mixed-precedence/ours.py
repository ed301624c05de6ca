def ok(a, b, c):
    if (a and b) or d:
        return c
    return None
