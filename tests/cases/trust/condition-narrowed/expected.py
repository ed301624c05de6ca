def start(job):
    if job.local and not job.dry:
        prepare(job)
        reserve(job)
        launch(job)
    else:
        prepare(job)
        launch(job)
    return job
