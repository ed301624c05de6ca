OPTIONS = {**DEFAULTS, 'a': 1, "b": 2, **OVERRIDES}
