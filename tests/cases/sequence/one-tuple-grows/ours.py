SIZES: tuple[int, ...] = (8,)
