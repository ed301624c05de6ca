NAMES = {'a': 1, 'b': 2, 'd': 4}
