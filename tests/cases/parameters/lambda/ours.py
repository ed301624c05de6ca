k = sorted(
    xs, key=lambda a: a.n, reverse=True
)
z = 1
