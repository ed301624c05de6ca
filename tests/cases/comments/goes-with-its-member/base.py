class Request:
    # Label of the request.
    label: str = ""

    # Whether bytes come back.
    return_bytes: bool = False

    x: int = 0
