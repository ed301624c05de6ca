# Limits of the engine.
LIMIT = 16  # entries

# Depth of the tree.
DEPTH = 3

# Names.
NAMES = []
