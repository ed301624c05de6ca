OPTIONS = {
    "default": [
        option("strength", 40000, "The rounds of the hash."),
        option("timeout", 900, "When a socket is closed."),
        option("limit", 10, "How many entries are listed."),
    ],
    "server": [
        option("workers", 2, "How many processes there are."),
        option("keepalive", False, "Whether sockets are kept."),
    ],
}
