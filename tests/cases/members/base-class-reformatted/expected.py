class A(
    B,
    C,
    Mixin,
):
    x = 1
