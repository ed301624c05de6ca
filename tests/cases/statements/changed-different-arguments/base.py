def f():
    g(a, b, key=c)
    h()
