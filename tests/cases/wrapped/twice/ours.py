def load(path, lock):
    data = read(path)
    with lock:
        try:
            if data.valid:
                check(data)
                store(data)
        except OSError:
            return None
    return data
