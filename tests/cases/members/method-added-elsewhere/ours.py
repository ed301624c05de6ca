class Scheduler:
    """Schedules."""

    limit = 8

    def __init__(self, args):
        self.args = args
        self.queue = []

    def reset(self):
        self.queue.clear()

    def run(self):
        return self.queue.pop()
