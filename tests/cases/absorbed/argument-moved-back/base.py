run(first, second, third)
