def f() -> None:
    pass


x = 1
