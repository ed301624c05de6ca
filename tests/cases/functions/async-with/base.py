async def fetch(client, url):
    async with client.get(url) as answer:
        return await answer.json()
