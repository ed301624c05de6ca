A = 1
ifdef Q
N = 3
endif
B = 2
