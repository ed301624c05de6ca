def run(items):
    first = items[0]
    prepare(first)
    for item in items:
        handle(item)
        count(item)
        audit(item)
    finish(items)
    return first
