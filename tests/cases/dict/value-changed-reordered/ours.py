NAMES = {'d': 4, 'b': 2, 'a': 1}
