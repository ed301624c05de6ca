@cache
def helper(a):
    return a + 1


def other(b):
    return b
