def close(conn):
    conn.flush()
    conn.log()
    conn.drop()
