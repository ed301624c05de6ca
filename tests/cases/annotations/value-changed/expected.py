LIMIT: int = 12
names = []


def f(x):
    y = x
    return y
