x = new_name(a, b)
y = 1
