def text(name, lock):
    first(name)
    say(name)
    return name
