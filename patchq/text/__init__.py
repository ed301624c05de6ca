"""Lines and tokens of any text: split, diff, locate, merge."""
