class A(
    B,
    C,
):
    x = 1
