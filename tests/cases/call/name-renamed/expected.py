x = new_name(a, b, extra=1)
y = 1
