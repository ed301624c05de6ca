MiB = 1024 * 1024

if True:
    MAX_SIZES = {
        9: {
            2: 64 * MiB,  # 64 MB
            4: 64 * MiB,  # 64 MB
            6: 128 * MiB,  # 128 MB
            8: 128 * MiB,  # 128 MB
        },
        10: {
            2: 64 * MiB,  # 64 MB
            4: 64 * MiB,  # 64 MB
            6: 128 * MiB,  # 128 MB
            8: 128 * MiB,  # 128 MB
        },
        12: {
            2: 64 * MiB,  # 64 MB
            4: 64 * MiB,  # 64 MB
            6: 128 * MiB,  # 128 MB
            8: 128 * MiB,  # 128 MB
        },
    }


def limit(major, ranks):
    return MAX_SIZES[major][ranks]
