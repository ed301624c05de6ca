def f(x):
    """Say what f does.

    Much more.
    """
    return x + 1
