k = sorted(
    xs, key=lambda a, r=1: a.n * r, reverse=True
)
z = 1
