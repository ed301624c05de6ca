def f(xs):
    for x in sorted(xs):
        yield from x
