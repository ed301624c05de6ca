m = f"{a} and {b.name}"
y = 1
