class Communicator:
    """Multi-GPU communication."""

    def __init__(self, group):
        self.group = group
        self.ok = group.size in self.limits()[group.major]
