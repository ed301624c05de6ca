if x:
    a()
z()
