LIMIT = 16
names = []


def f(x):
    y = x
    return y
