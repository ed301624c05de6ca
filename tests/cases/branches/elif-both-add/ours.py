def pick(kind):
    if kind == "a":
        return A()
    elif kind == "b":
        return B()
    elif kind == "d":
        return D()
    else:
        raise ValueError(kind)
