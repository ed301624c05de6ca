run(first, third, second)
