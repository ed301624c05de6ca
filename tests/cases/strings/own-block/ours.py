OPTIONS = """
name: server
options:
  host:
    description: Where to connect.
    type: str
  user:
    description: Who connects.
    type: path
  port:
    description: The port there.
    type: int
"""
