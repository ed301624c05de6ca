"""How much fits on a card, by compute capability."""

import os

GiB = 1024**3

MAX_CACHE_BYTES = {
    80: 24 * GiB,  # 40 GB cards
    90: 64 * GiB,  # 80 GB cards
}


def max_cache_bytes(capability):
    override = os.environ.get("KILN_MAX_CACHE_BYTES")
    if override is not None:
        return int(override)
    return MAX_CACHE_BYTES[capability]
