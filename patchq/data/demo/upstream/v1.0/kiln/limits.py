"""How much fits on a card, by compute capability."""

GiB = 1024**3

MAX_CACHE_BYTES = {
    80: 24 * GiB,  # 40 GB cards
    90: 64 * GiB,  # 80 GB cards
}


def max_cache_bytes(capability):
    return MAX_CACHE_BYTES[capability]
