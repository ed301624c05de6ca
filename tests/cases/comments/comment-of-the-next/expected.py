def one():
    return 1


def new():
    return 8


# What comes second.
def two():
    return 2
