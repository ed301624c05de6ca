if x: a(1)
z()
