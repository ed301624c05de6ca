OPTIONS = """
name: server
options:
  host:
    description: A name or an address.
    type: str
  port:
    description: The port there.
    type: int
"""
