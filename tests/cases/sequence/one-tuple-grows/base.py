SIZES = (8,)
