xs = [f(x) for x in rows if x.ok]
y = 1
