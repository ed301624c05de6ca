class BatchScheduler:
    """Schedules."""

    limit = 8

    def __init__(self, args):
        self.args = dict(args)
        self.queue = []

    def run(self):
        return self.queue.pop()
