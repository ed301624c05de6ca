if (n := size(x)) > 8:
    f(n)
