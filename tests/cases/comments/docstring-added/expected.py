def f(x):
    """Doc."""
    y = x + 1
    return y
