def outer(xs):
    def key(x):
        return x.size

    return sorted(xs, key=key)
