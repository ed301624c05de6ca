def retry(task, limit=None):
    """Try the task again.

    :param task: What to do.
    :param limit: How often it is tried at most.
    :returns: What the task gives.
    """
    return task.again(limit)
