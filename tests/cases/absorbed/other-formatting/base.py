x = f("a")
