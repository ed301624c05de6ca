def f():
    g(a2, b, key=c2)
    h()
