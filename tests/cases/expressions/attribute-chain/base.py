y = a.b.c
z = 0
