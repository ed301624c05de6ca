x = compute(
    a,
    # keep b last
    b,
)
