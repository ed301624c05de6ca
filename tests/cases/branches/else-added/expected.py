def pick(kind):
    if kind == "a":
        return A()
    elif kind == "b":
        return B()
    elif kind == "c":
        return C()
    else:
        raise ValueError(kind)
