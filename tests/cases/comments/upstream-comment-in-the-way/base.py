x = compute(
    a,
    b,
)
