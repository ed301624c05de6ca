LIMIT: int = 8
names = []


def f(x):
    y = x
    return y
