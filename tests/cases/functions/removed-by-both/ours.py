"""Doc."""

def first():
    return 1
