k = sorted(xs, key=lambda a: a.n)
z = 1
