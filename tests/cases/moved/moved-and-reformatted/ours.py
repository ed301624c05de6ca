class Scheduler:
    def __init__(self, limit):
        self.limit = limit

    def schedule(self, batch, limit):
        ready = []
        for request in batch.waiting:
            if request.tokens > limit:
                request.defer(
                    'too long',
                )
                continue
            limit -= request.tokens
            ready.append(request)
        batch.running.extend(
            ready,
        )
        batch.stats.update(ready)
        return ready
