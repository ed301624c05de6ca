def outer(items):
    def weigh(item):
        size = item.width * item.height
        return size * item.density

    return sorted(items, key=weigh)


def other():
    return None
