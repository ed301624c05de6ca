LIMITS = {
    9: 64,
<<<<<<< ours
    10: 64,
=======
    10: 96,
>>>>>>> theirs
}


def f():
    return LIMITS
