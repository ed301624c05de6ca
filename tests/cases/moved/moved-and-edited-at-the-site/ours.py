class Scheduler:
    def __init__(self, limit):
        self.limit = limit

    def schedule(self, batch, limit):
        ready = []
        for request in batch.waiting:
            if request.tokens > limit:
                raise TooLong(request.tokens)
                continue
            limit -= request.tokens
            ready.append(request)
        batch.running.extend(ready)
        self.stats.update(ready)
        return ready
