def run(items):
    first = items[0]
    for item in items:
        handle(item)
        count(item)
    finish(items)
    prepare(first)
    return first
