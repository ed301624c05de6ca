f(
    a,  # first
    b  # last
)
