(
    a,
    b,
) = split(x)
use(a, 1)
z = 1
