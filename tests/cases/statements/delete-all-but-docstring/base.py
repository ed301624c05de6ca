def f():
    """Doc."""
    a()
    b()
