a, b = split(x, y)
