def start(job):
    if not job.local:
        prepare(job)
        launch(job)
    else:
        prepare(job)
        launch(job)
    return job
