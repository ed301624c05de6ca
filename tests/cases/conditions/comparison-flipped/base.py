if major >= 9:
    f()
