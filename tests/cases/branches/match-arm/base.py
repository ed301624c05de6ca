def pick(kind):
    match kind:
        case "a":
            return A()
        case _:
            raise ValueError(kind)
