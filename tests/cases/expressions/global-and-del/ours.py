def f():
    global a, b
    del a, b
