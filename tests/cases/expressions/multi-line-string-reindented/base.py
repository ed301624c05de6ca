SQL = 0


def q():
    return run(A)
