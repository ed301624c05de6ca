def run(items):
    first = items[0]
    prepare(first)
    for item in items:
        handle(item)
        count(item)
        record = audit(item)
        store(record)
    finish(items)
    return first
