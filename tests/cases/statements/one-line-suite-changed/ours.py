if x: a()
z()
