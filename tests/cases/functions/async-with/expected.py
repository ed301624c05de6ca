async def fetch(client, url):
    async with client.get(url, timeout=5) as answer:
        data = await answer.json()
        return data["rows"]
