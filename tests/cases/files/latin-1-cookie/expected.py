# coding: latin-1
# Größe
LIMITS = {
    9: 64,
    10: 96,
    12: 64,  # für SM120
}


def f():
    return LIMITS
