xs = [f(x) for x in all_rows() if x.ok]
y = 1
