def load(path, lock):
    data = read(path)
    with lock:
        try:
            if data.valid:
                check(data)
                store(data, path)
        except OSError:
            return None
    return data
