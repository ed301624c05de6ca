LIMITS = {
    9: 64,
    10: 96,
}


def f():
    return LIMITS
