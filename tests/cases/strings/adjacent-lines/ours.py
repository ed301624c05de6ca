OPTIONS = """
name: server
options:
  host:
    description: The host to connect to.
    type: str
  port:
    description: The port there.
    type: int
"""
