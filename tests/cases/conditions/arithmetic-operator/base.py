total = a + b
x = 0
