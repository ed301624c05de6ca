try:
    f()
except (OSError, ValueError):
    pass
