class Box:
    n = 1

    def length(self):
        return self.n
