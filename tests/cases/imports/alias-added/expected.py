from a import b as c, d

print(c)
