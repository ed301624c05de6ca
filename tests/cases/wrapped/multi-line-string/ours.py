def text(name, lock):
    with lock:
        first(name)
        say(name)
        return name
