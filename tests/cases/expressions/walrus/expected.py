if (
    n := size(x)
) > 12:
    f(n)
