if old(x):
    a(x)
b(x)
