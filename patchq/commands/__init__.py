"""One verb per file: options on top, a straight line below."""
