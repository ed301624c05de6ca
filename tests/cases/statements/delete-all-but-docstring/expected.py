def f() -> None:
    """Doc."""
