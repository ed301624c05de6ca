def f():
    g(a2, b, key=c)
    h()
