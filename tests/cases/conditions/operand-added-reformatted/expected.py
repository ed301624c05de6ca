def ok(a, b, c):
    if (
        a
        and b
        and c
    ):
        return c
    return None
