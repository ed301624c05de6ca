HELP = """
first:
  type: str
second:
  type: str
third:
  type: str
"""
