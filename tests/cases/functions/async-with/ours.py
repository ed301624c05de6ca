async def fetch(client, url):
    async with client.get(url) as answer:
        data = await answer.json()
        return data["rows"]
