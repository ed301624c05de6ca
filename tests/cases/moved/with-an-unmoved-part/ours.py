import json


def save(path, data):
    with open(path, "w") as file:
        json.dump(data, file)


class Store:
    def __init__(self, root):
        self.root = root

    def find(self, key):
        entry = self.root.get(key)
        if entry is None:
            raise KeyError(key)
        return entry.value

    def close(self):
        log("closing")
        self.root.close()

    @classmethod
    def load(cls, path, default=None):
        with open(path) as file:
            data = json.load(file)
        check(data, path)
        log("loaded", path)
        return data or default
