NAMES = {'a': 1, 'd': 4}
