f(
    *xs,
    extra,
    k=1,
)
y = 0
