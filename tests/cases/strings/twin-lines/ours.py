HELP = """
zeroth:
  type: str
first:
  type: str
second:
  type: str
last:
  type: str
"""
