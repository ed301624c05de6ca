def f() -> None:
    a()


x = 1
