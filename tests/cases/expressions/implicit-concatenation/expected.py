m = (
    "one "
    "2 "
    "three"
)
y = 1
