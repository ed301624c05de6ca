def f(x):
    check(x)
    return x
