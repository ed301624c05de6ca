def f(x):
    """Say what f does.

    Less.
    """
    return x
