def first():
    return 1


async def second():
    return 2
