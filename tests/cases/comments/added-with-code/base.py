# Limits of the engine.
LIMIT = 8  # entries

# Names.
NAMES = []
