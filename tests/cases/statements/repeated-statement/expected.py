def f():
    step()
    a()
    step()
    b()
    step(2)
    c()
    step()
