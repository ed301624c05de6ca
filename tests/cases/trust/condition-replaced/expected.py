def start(job):
    if cluster.full():
        prepare(job)
        reserve(job)
        launch(job)
    else:
        prepare(job)
        launch(job)
    return job
