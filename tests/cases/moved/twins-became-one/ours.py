class Middle:
    def run(self, job):
        job.prepare(self)
        job.start()
        job.wait()
        return job.result
