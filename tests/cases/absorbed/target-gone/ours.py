class Engine:
    def start(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()

    def restart(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()
