def run(a: int, b, *args: int, **kw: int):
    return a


x = 1
