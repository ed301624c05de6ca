def first[T](
    xs: list[T],
    n: int = 0,
) -> T:
    return xs[n]


x = 1
