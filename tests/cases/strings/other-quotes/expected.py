OPTIONS = '''
name: server
options:
  host:
    description: Where to connect.
    type: str
  port:
    description: The TCP port.
    type: int
    default: 80
'''
