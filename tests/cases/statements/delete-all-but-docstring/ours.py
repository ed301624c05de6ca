def f() -> None:
    """Doc."""
    a()
    b()
