def retry(task, limit=None):
    """Try the task again.

    :param task: What to do.
    :param limit: How often it is tried at most.
        A value of None means that the default
        of the queue is taken.
    :returns: What the task gives.
    """
    return task.again(limit)
