class Box:
    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        self._width = value
