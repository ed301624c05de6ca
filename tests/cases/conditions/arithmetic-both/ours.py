total = a2 + b + c
x = 0
