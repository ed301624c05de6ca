class Scheduler:
    """Schedules."""

    limit = 8

    def run(self):
        return self.queue.pop()

    def __init__(self, args):
        self.args = args
        self.queue = []
