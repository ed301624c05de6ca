# Limits of the engine.
LIMIT = 16  # entries of the queue

# Names.
NAMES = []
