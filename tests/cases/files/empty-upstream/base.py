LIMITS = {
    9: 64,
    10: 64,
}


def f():
    return LIMITS
