def run(a, *, b=1):
    return a, b


x = 1
