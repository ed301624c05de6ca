y = x[a:b]
z = 0
