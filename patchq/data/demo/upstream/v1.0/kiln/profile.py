"""A sampling profiler for the request loop."""

INTERVAL_SECONDS = 0.01


def profile(loop, seconds):
    return [loop.sample() for _ in range(int(seconds / INTERVAL_SECONDS))]
