class Box:
    @property
    def width(self):
        return self._width or 0
