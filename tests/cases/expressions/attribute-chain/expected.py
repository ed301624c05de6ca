y = q.b.d
z = 0
