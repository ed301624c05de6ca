def run(self):
    try:
        prepare(self)
    except OSError:
        notify(self)
    finish(self)
