m = (
    "one "
    "2 "
)
y = 1
