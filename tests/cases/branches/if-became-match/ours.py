def pick(kind):
    match kind:
        case "a":
            return A()
        case "b":
            return B()
