def members(client, group, rule):
    return client.search(
        group.base,
        query={
            f"member:{rule}:": group.name,
        },
        limit=client.limit,
    )
