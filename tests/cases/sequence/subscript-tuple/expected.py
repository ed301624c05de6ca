y = x[1,]  # first
z = 1
