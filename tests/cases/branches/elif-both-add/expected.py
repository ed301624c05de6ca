def pick(kind):
    if kind == "a":
        return A()
    elif kind == "b":
        return B()
    elif kind == "d":
        return D()
    elif kind == "c":
        return C()
    else:
        raise ValueError(kind)
