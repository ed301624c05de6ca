x = a if c else b
y = 0
