if a \
        and b and c:
    f()
