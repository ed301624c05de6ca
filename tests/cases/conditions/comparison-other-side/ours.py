if capability.major >= 9:
    f()
