use(a, 1)
z = 1
