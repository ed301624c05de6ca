OPTIONS = """
name: gateway
options:
  host:
    description: Where to connect.
    type: str
  port:
    description: The port there.
    type: int
    default: 80
"""
