while (
    running
    and queue
):
    step()
