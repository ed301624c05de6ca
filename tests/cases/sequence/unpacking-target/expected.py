a, b, c = split(
    x,
    y,
)
