x = a, b
y = 1
