"""Source as a tree in any language: parse, address, match, compare."""
