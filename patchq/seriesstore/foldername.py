"""Refs as folder names and back, without loss: percent-encoding of all that is not safe on every file system."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.errors import SeriesError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Names that the root of a series folder uses itself; compared without case, because macOS and Windows do so.
_RESERVED = frozenset({"patchq.yaml", "ledger.yaml", "resolutions.yaml", "readme.md"})
_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-")
_ESCAPE = re.compile(rb"%([0-9A-F]{2})")
# File systems stop at 255 bytes a name, and other files are named after a folder.
_LONGEST = 200


def folder_name(ref: str) -> str:
    """Return the folder of `ref`: `feature/x` lies in `feature%2Fx`.

    Bytes (UTF-8, surrogateescape) outside `A-Za-z0-9._+-` become `%XX` in upper-case hex; so do a leading dot, and the
    first letter of a name that the root uses itself. Raises SeriesError for a ref that no folder can stand for.
    """
    if not ref or ref.startswith("-"):
        raise SeriesError(f"{ref!r} cannot be a ref", hint="name a branch, a tag or a commit of the upstream")
    first_is_unsafe = ref.startswith(".") or ref.lower() in _RESERVED
    name = "".join(
        chr(byte) if byte in _SAFE and not (first_is_unsafe and index == 0) else f"%{byte:02X}"
        for index, byte in enumerate(ref.encode("utf-8", "surrogateescape"))
    )
    if len(name) > _LONGEST:
        raise SeriesError(f"the ref {ref!r} is too long for a folder name", hint="use a tag or a shorter branch name")
    return name


def ref_of(folder: str) -> str | None:
    """Return the ref whose folder is called `folder`, None for a name that `folder_name` never gives."""
    if not folder.isascii():
        return None
    raw = _ESCAPE.sub(lambda escape: bytes.fromhex(escape[1].decode()), folder.encode())
    ref = raw.decode("utf-8", "surrogateescape")
    try:
        return ref if folder_name(ref) == folder else None
    except SeriesError:
        return None


def refuse_case_twins(names: Iterable[str], *, file: str) -> None:
    """Raise SeriesError when two different names are one on a file system that ignores case; `file` is for people."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.casefold(), name)
        if twin != name:
            raise SeriesError(
                f"{twin} and {name} in {file} differ only in case, which not every file system keeps apart",
                hint="rename one of them",
            )
