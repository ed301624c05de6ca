STABLE = {
    "ring": {"sizes": [2, 4, 8], "bytes": 1 << 20},
    "tree": {"sizes": [4, 8], "bytes": 1 << 22},
}

OTHER = {
    "star": {"sizes": [2], "bytes": 0},
}
