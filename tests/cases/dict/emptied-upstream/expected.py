NAMES = {"c": 3}
