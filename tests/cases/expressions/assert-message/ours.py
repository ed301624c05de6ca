assert (
    a
    == b
)
y = 1
