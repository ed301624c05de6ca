OPTIONS = """
name: server
options:
  host:
    description: The host to connect to.
    type: str
    required: true
  port:
    description: The port there.
    type: int
"""
