# Limits of the engine.
LIMIT = 8  # entries

# Names of models.
NAMES = list()
