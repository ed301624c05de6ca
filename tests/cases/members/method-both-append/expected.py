class Scheduler:
    """Schedules."""

    limit = 8

    def __init__(self, args):
        self.args = args
        self.queue = []

    def run(self):
        return self.queue.pop()

    def stop(self):
        raise SystemExit

    def reset(self):
        self.queue.clear()
