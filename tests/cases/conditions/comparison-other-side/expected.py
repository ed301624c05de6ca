if capability.major >= 10:
    f()
