m = (
    "one "
    "two "
)
y = 1
