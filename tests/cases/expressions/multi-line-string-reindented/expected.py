SQL = 0


class Q:
    pass


def q() -> Rows:
    return run(
        """select *
    from t
""",
        A,
    )
