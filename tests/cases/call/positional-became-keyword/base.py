f(a, b)
x = 1
