"""File names out of archives: which may become paths of a git tree, and which are an attack."""

from __future__ import annotations

import re

from patchq.errors import ReleaseError, UsageError

MAX_PATH = 1024  # bytes; Windows has 260, macOS 1,024; the longest of sglang 0.5.23 has 196
MAX_DEPTH = 100  # parts

# What HFS+ leaves out when it compares names, so that `.g<zero width joiner>it` opens `.git` (CVE-2014-9390).
_HFS_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(rb"[A-Za-z]:")


def check_path(path: bytes) -> bytes:
    """Return `path` (relative, `/` between parts) if it stays inside a tree on every system; ReleaseError if not."""
    reason = _objection(path)
    if reason is not None:
        raise ReleaseError(
            f"the archive has a member named {path[:200].decode('utf-8', 'backslashreplace')!r}: {reason}",
            hint="such an archive is broken or hostile; nothing of it was kept",
        )
    return path


def parse_prefix(text: str) -> bytes:
    """Read `--prefix`: a folder inside the tree, returned as `a/b/`, or empty; UsageError if it leads elsewhere."""
    path = text.removesuffix("/").encode("utf-8", "surrogateescape")
    if not path:
        if text:
            raise UsageError("the prefix '/' is absolute", hint="give a folder inside the tree, such as python/")
        return b""
    # it is kept in a trailer of the commit message
    reason = "it has control characters" if _CONTROL.search(text) else _objection(path)
    if reason is not None:
        raise UsageError(f"the prefix {text!r} cannot be used: {reason}", hint="give a folder such as python/")
    return path + b"/"


def _objection(path: bytes) -> str | None:
    if not path:
        return "it is empty"
    if len(path) > MAX_PATH:
        return f"it is longer than {MAX_PATH} bytes"
    if b"\0" in path or b"\\" in path:
        return "it has a NUL byte or a backslash"
    if path.startswith(b"/") or _DRIVE.match(path):
        return "it is absolute"
    if path.count(b"/") >= MAX_DEPTH:
        return f"it is deeper than {MAX_DEPTH} folders"
    for part in path.split(b"/"):
        if part in {b"", b".", b".."}:
            return "it has an empty part, '.' or '..'"
        if _is_git_folder(part):
            return "it leads into a git folder"
    return None


def _is_git_folder(part: bytes) -> bool:
    """Say whether some file system opens `.git` under the name `part`: case, trailing dots, streams, 8.3 names."""
    name = _HFS_IGNORED.sub("", part.decode("utf-8", "replace")).lower().split(":")[0].rstrip(" .")
    return name in {".git", "git~1"}
