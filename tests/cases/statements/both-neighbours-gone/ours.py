def load(path):
    with open(path) as file:
        yield from file
