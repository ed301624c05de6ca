"""Which paths a patch may name: relative ones inside the tree that no file system takes for git's own folder."""

from __future__ import annotations

import re

from patchq.patchfile.limits import MAX_PATH_BYTES

# Code points that HFS+ ignores in names (U+200C-F, U+202A-E, U+206A-F, U+FEFF): git's protectHFS guards the same ones.
_HFS_IGNORED = re.compile(rb"\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf")
# NTFS drops trailing blanks and dots, knows `git~1` as the short name, and `:` starts a stream name.
_NTFS_DOT_GIT = re.compile(rb"(?:\.git|git~1)[ .]*(?::.*)?", re.IGNORECASE | re.DOTALL)


def unsafe_reason(path: bytes) -> str | None:
    """Say why a git path must not be written, as a phrase about the path, or None when it may.

    The rules are those of git's `verify_path` with `core.protectNTFS` and `core.protectHFS` on, on every system,
    because a series is carried from one system to another.
    """
    if not path:
        return "is empty"
    if len(path) > MAX_PATH_BYTES:
        return f"is longer than {MAX_PATH_BYTES} bytes"
    if b"\0" in path:
        return "holds a NUL byte"
    if path.startswith(b"/"):
        return "is absolute"
    for part in path.split(b"/"):
        if not part:
            return "has an empty part"
        if part == b"..":
            return "leaves the tree"
        if part == b".":
            return "has a part `.`"
        if any(_is_dot_git(piece) for piece in part.split(b"\\")):
            return "leads into git's own folder"
    return None


def strip_parts(name: bytes, count: int) -> bytes | None:
    """Remove `count` leading parts, as `patch -pN` does; None when the name has no more than these."""
    for _ in range(count):
        _, slash, name = name.partition(b"/")
        if not slash:
            return None
    return name or None


def _is_dot_git(name: bytes) -> bool:
    return bool(_NTFS_DOT_GIT.fullmatch(name)) or _HFS_IGNORED.sub(b"", name).lower() == b".git"
