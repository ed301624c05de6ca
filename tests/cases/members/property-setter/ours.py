class Box:
    @property
    def width(self):
        return self._width or 0

    @width.setter
    def width(self, value):
        self._width = value
