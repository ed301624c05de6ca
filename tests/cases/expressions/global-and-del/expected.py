def f():
    global a, b, c
    del a, b
