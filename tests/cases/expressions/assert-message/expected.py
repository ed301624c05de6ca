assert (
    a
    == b
), "differs"
y = 1
