class A(B, Other):
    x = 1
