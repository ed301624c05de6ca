SIZES: tuple[int, ...] = (8, 16)
