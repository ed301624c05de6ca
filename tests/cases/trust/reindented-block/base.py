def run(items):
    first = items[0]
    prepare(first)
    for item in items:
        handle(item)
        count(item)
    finish(items)
    return first
