def pick(kind):
    if kind == "a":
        return A()
    elif kind == "b":
        return B(fast=True)
    else:
        raise ValueError(kind)
