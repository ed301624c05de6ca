def weigh(item):
    size = item.width * item.height
    return size * item.density or 1


def outer(items):
    return sorted(items, key=weigh)


def other():
    return None
