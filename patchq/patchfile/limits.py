"""How large a patch may be, so that hostile or mistaken input ends in a clear error within bounded memory."""

from __future__ import annotations

MEBIBYTE = 1024 * 1024

MAX_PATCH_BYTES = 64 * MEBIBYTE
"""A patch file or mailbox; the largest patch of the first users' upstream (16,500 commits) is far below."""

MAX_PATCH_LINES = 2_000_000
"""A hunk line costs about 150 bytes as a value: 300 MB at most, and a line of one byte cannot multiply by 100."""

MAX_PATH_BYTES = 4096
"""PATH_MAX of Linux; git itself cannot check out more."""

MAX_BLOCK_BYTES = 64 * MEBIBYTE
"""One side of a binary change, inflated; deflate packs up to 1,032 to 1, so the packed size bounds nothing."""

MAX_INFLATED_BYTES = 256 * MEBIBYTE
"""All binary blocks of one patch together."""
