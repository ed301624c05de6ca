for item in items:
    handle(item, retry=True)
print("done")
