x = (
    a2
    if c
    else b
)
y = 0
