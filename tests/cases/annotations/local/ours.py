LIMIT = 8
names = []


def f(x):
    y: int = x
    return y
