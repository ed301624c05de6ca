OPTIONS = """
name: server
options:
    host:
        description: The host.
        type: str
        required: true
    port:
        description: The port there.
        type: int
"""
