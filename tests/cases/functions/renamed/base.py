def first():
    return 1


def second(rows):
    total = 0
    for row in rows:
        total += row.size
    count(total)
    return total
