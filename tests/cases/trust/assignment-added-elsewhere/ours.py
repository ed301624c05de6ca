DEPTH = compute(LIMITS, 12)
LIMITS = {
    9: 64,
    10: 64,
}


def f():
    return LIMITS
