def load(path):
    data = read(path)
    check(data)
    note(data)
    if VERBOSE:
        logger.info("loaded %s", path)
    return data
