import a

x = 1
