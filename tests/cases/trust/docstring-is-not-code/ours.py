def f(x):
    """Return y.

    y = x + 1
    return y
    """
    return g(x)
