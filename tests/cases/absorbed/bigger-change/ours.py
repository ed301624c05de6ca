def run(items):
    first = items[0]
    prepare(first, items)
    for item in items:
        handle(item)
        count(item)
        audit(item)
    close(items)
    return first
