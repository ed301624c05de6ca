def pick(kind):
    if kind == "a":
        return A()
    elif kind == "b":
        return B(fast=True)
    elif kind == "c":
        return C()
    else:
        raise ValueError(kind)
