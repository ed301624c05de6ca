class Engine:
    def launch(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()

    def name(self):
        return self.path

    def restart(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()
