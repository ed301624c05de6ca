def run(a, *args, **kw):
    return a


x = 1
