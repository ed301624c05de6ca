def load(path: str):
    data = read(path)
    check(data)
    log(path)  # audit
    return data
