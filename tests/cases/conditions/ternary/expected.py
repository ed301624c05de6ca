x = (
    a2
    if c
    else b2
)
y = 0
