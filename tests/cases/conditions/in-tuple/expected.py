if kind in (
    "a",
    "b",
    "c",
):
    f()
