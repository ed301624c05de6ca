def first():
    return 1


def second():
    return 2


def fourth():
    raise ValueError("four")


def third():
    return 3
