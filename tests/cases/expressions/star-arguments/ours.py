f(
    *xs,
    k=1,
)
y = 0
