def f():
    return (
        first,
        second,
    )
