class Scheduler:
    """Schedules."""

    limit: int = 8
    capability = 12

    def __init__(self, args):
        self.args = args
        self.queue = []

    def run(self):
        return self.queue.pop()
