def members(client, group, rule):
    return client.search(
        group.base,
        query={
            "member:%s:" % rule: group.name,
        },
        limit=client.limit,
    )
