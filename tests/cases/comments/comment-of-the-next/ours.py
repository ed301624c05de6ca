def one():
    return 1


# What comes second.
def two():
    return 2
