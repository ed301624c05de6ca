OPTIONS = """
name: server
options:
  host:
    description: Where to connect.
    type: str
  port:
    description: The port there.
    type: int
"""
