HELP = """
zeroth:
  type: str
first:
  type: str
second:
  type: str
  secret: true
last:
  type: str
"""
