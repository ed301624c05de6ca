LIMIT: int = 8
names: list[str] = []


def f(x):
    y = x
    return y
