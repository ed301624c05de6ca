HELP = """
usage:
  tool get
  tool put
"""
