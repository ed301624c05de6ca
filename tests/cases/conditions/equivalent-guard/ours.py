def f(x):
    return 0 if x is None else g(x)
