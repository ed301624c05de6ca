class Request:
    priority: int = 0
    # Label of the request.
    label: str = ""

    # Whether bytes come back.
    return_bytes: bool = False

    y: int = 1
    x: int = 0
