def helper(a: int):
    return a


def other(b):
    return b
