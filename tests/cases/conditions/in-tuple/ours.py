if kind in (
    "a",
    "b",
):
    f()
