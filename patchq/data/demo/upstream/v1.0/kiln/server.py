"""The server: takes requests from a queue and answers them."""

import logging

from kiln.kernels import TileTable
from kiln.limits import max_cache_bytes

logger = logging.getLogger(__name__)


def uses_fused_kernels(capability, batch_size):
    return (capability == 80 or capability == 90) and batch_size > 0 and TileTable().is_fast(capability)


def next_request(queue):
    return queue.pop(0)


def start(capability, queue, port=8000):
    cache = max_cache_bytes(capability)
    logger.info("cache of %d bytes on port %d", cache, port)
    while True:
        request = next_request(queue)
        if request is None:
            break
        request.answer(cache)
