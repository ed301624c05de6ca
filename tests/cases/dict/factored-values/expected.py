MiB = 1024 * 1024

_HOPPER = {
    2: 64 * MiB,
    4: 64 * MiB,
    6: 128 * MiB,
    8: 128 * MiB,
}

MAX_SIZES = {9: _HOPPER, 10: _HOPPER, 12: {
    2: 64 * MiB,  # 64 MB
    4: 64 * MiB,  # 64 MB
    6: 128 * MiB,  # 128 MB
    8: 128 * MiB,  # 128 MB
}}


def limit(major, ranks):
    return MAX_SIZES[major][ranks]
