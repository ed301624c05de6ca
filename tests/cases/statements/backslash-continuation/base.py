if a and b:
    f()
