HELP = """
usage:
  tool get
  tool put
  tool del
"""
