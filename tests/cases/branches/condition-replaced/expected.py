if new(x):
    a(x, 1)
b(x)
