def close(conn):
    conn.flush()
    conn.wait()
    conn.drop()
