def pick(kind):
    match kind:
        case "a":
            return A(1)
        case "b":
            return B()
        case _:
            raise ValueError(kind)
