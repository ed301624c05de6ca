def outer(xs, limit=None):
    def key(x):
        return -x.size

    return sorted(xs, key=key)[:limit]
