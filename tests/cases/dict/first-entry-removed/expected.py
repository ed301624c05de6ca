NAMES = {'b': 2, 'd': 4}
