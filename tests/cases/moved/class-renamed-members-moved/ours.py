class Memo:
    """Keeps what was computed."""

    def get(self, key):
        self.hits += 2
        return self.store[key]

    def put(self, key, value):
        self.store[key] = value
        self.trim()


def build():
    return Memo()
