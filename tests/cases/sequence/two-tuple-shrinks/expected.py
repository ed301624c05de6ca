SIZES = (
    8,
)
