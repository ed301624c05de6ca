from a import b, d

print(b)
