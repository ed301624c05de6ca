def f():
    a()
    step()
    b()
    step()
    c()
    step()
