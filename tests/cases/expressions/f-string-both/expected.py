m = f"{a!r} and {b.name}"
y = 1
