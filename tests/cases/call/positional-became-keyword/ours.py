f(a, second=b)
x = 1
