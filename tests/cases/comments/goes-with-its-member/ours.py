class Request:
    priority: int = 0
    # Label of the request.
    label: str = ""

    # Whether bytes come back.
    return_bytes: bool = False

    x: int = 0
