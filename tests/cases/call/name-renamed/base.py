x = old_name(a, b)
y = 1
