def close(conn):
    conn.flush()
    conn.wait()
    conn.log()
    conn.drop()
