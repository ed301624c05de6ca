y = x[a2:b]
z = 0
