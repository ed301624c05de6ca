def f():
    return (
        first,
        second,
        third,
    )
