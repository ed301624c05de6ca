def first():
    return 1


async def second():
    return compute(2)
