def start(job):
    if cluster.full():
        prepare(job)
        launch(job)
    else:
        prepare(job)
        launch(job)
    return job
