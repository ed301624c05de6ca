# Limits of the engine.
LIMIT = 8  # jobs

# Names.
NAMES = []
