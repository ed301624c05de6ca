def first():
    return 1


def sum_of(rows):
    total = 0
    for row in rows:
        total += row.size
    count(total, "rows")
    return total
