class A(B):
    x = 1
