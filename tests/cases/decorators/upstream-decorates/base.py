def helper(a):
    return a


def other(b):
    return b
