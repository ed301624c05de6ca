def read(path):
    try:
        data = parse(path)
        check(data)
    except ValueError:
        data = repair(path)
        check(data)
    return data
