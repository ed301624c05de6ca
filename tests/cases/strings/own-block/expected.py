OPTIONS = """
name: server
options:
  host:
    description: Where to connect.
    type: str
    required: true
  user:
    description: Who connects.
    type: path
  port:
    description: The port there.
    type: int
"""
