def f(x):
    """Say what f does.

    More.
    """
    return x
