total = a + b + c
x = 0
