def first():
    return 1


def second(scale: int = 1) -> int:
    return compute(2)
