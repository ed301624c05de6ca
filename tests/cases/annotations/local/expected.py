LIMIT = 8
names = []


def f(x):
    y: int = x + 1
    return y
