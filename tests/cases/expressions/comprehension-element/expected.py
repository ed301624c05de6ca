xs = [f(x, 1) for x in all_rows() if x.ok]
y = 1
