for item in sorted(items):
    handle(item, retry=True)
print("done")
