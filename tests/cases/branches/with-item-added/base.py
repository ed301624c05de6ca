def save(path, data):
    with open(path, "w") as file:
        file.write(data)
