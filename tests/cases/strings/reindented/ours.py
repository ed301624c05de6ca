OPTIONS = """
name: server
options:
    host:
        description: The host.
        type: str
    port:
        description: The port there.
        type: int
"""
