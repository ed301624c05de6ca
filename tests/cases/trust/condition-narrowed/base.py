def start(job):
    if job.local:
        prepare(job)
        launch(job)
    else:
        prepare(job)
        launch(job)
    return job
