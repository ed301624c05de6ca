def start(pool):
    pool.open()
    pool.fill(20, lazy=True)
    pool.watch()
