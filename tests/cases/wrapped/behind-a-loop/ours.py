def run(self, items, fast):
    total = prepare(items)
    for item in items:
        total += go(item)
    if fast:
        result = norm(total)
    else:
        result = total
    return result
