total = a2 + b + c2
x = 0
