f(
    a,  # first
    b,  # last
    c
)
