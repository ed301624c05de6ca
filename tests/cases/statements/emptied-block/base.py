def f():
    a()


x = 1
