def f():
    step()
    a()
    step()
    b()
    step()
    c()
    step()
