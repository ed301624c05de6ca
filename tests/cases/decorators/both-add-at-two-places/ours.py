@traced
@cached
@logged
def load(name):
    return find(name)
