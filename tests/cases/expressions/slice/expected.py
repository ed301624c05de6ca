y = x[a2:b2]
z = 0
