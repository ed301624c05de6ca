def run(a: int, *args: int, **kw: int):
    return a


x = 1
