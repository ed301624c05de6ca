def save(path, data):
    with open(path, "wb") as file:
        file.write(data)
