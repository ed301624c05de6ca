"""How often a client tries again, by the answer's status."""

RETRIES = {
    429: 10,
    502: 3,
    503: 3,
}
