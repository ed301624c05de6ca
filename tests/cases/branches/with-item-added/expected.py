def save(path, data):
    with open(path, "wb") as file, lock:
        file.write(data)
