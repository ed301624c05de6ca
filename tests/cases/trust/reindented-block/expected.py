def run(items):
    first = items[0]
    prepare(first)
    with lock:
        for item in items:
            handle(item)
            count(item)
            audit(item)
    finish(items)
    return first
