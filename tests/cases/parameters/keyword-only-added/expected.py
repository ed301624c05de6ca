def run(
    a,
    *,
    b=1,
    c=2,
):
    return a, b, c


x = 1
