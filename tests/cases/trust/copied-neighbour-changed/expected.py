LIMITS = {
    9: 64,
    10: 96,
    12: 64,
}


def f():
    return LIMITS
