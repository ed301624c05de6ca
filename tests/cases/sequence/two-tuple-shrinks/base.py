SIZES = (8, 16)
