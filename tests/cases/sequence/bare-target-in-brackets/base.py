a, b = split(x)
use(a)
z = 1
