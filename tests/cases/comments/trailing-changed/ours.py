# Limits of the engine.
LIMIT = 16  # entries

# Names.
NAMES = []
