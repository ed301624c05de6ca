X = list()
Y = 1
