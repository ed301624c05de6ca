class Box:
    @property
    def width(self):
        return self._width
