"""How large a patch may be, so that hostile or mistaken input ends in a clear error within bounded memory."""

from __future__ import annotations

MEBIBYTE = 1024 * 1024

MAX_PATCH_BYTES = 64 * MEBIBYTE
"""A patch file or mailbox; the largest patch of the first users' upstream (16,500 commits) is far below."""

MAX_PATCH_LINES = 2_000_000
"""1.9 million lines of two bytes take 2.2 s and 500 MB to read and write: a hunk line costs 150 bytes and more."""

MAX_HEAD_BYTES = MEBIBYTE
"""Mail header and message of one patch; a message of that length is no message."""

MAX_PATH_BYTES = 4096
"""PATH_MAX of Linux; git itself cannot check out more."""

MAX_BLOCK_BYTES = 64 * MEBIBYTE
"""One side of a binary change, inflated; deflate packs up to 1,032 to 1, so the packed size bounds nothing."""

MAX_INFLATED_BYTES = 256 * MEBIBYTE
"""All binary blocks of one patch together."""
