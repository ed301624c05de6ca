if old(x):
    a(x, 1)
b(x)
