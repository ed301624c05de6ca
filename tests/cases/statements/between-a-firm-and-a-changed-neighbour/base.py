def start(pool):
    pool.open()
    pool.fill(10)
    pool.watch()
