class Other:
    _WORLD_SIZES = {
        9: [4, 6, 8],
        10: [6, 8],
        12: [6, 8],
    }


class Communicator:
    """Multi-GPU communication."""

    def __init__(self, group):
        self.group = group
        self.ok = group.size in self._WORLD_SIZES[group.major]
