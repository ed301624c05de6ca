def text(name, lock):
    with lock:
        first(name)
        say("""
one
  two
""", name)
        return name
