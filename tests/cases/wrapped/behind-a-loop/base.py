def run(self, items, fast):
    total = prepare(items)
    for item in items:
        total += go(item)
    result = norm(total)
    return result
