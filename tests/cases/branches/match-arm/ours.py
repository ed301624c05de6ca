def pick(kind):
    match kind:
        case "a":
            return A(1)
        case _:
            raise ValueError(kind)
