y = q.b.c
z = 0
