# Limits of one engine.
LIMIT = 16  # entries

# Names.
NAMES = []
