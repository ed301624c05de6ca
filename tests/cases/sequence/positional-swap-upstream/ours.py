run(second, first, third)
