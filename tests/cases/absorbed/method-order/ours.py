class Engine:
    def name(self):
        return self.path

    def stop(self):
        self.lock.close()

    def restart(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()

    def start(self):
        self.lock.acquire()
        self.state = load(self.path)
        self.state.check()
        self.lock.release()
