xs = [
    f(x)
    for x in rows
    if x.ok and x.new
]
y = 1
