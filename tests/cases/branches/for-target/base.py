for item in items:
    handle(item)
print("done")
