def run(self):
    if self.ready:
        prepare(self)
        notify(self)
        finish(self)
