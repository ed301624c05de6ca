def weigh(item):
    size = item.width * item.height
    return size * item.density


def outer(items):
    return sorted(items, key=weigh)


def other():
    return None
