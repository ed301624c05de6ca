from lib import extend


def other(batch):
    return batch


def decode(batch):
    n = len(batch)
    total = n * 2
    log("t", total)
    check(total)
    return total
