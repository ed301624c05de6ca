def run(self):
    prepare(self)
    finish(self)
