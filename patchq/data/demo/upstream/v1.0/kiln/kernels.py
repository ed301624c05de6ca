"""Which tile sizes the kernels were compiled for."""


class TileTable:
    """Tile sizes by compute capability; what is not listed takes the slow path."""

    _TILES = {
        80: [64, 128],
        90: [64, 128],
    }

    def tiles(self, capability):
        return self._TILES.get(capability, [])

    def is_fast(self, capability):
        return bool(self.tiles(capability))
