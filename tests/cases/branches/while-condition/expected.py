while (
    running
    and queue
    and not stopped
):
    step()
