m = f"{a} and {b}"
y = 1
