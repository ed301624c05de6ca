"""Bytecode beside patched sources: which of it was compiled from another text (the header of a `.pyc`, PEP 552)."""

from __future__ import annotations

import re
from _imp import source_hash  # what importlib.util has works for the bytecode of this Python only
from typing import TYPE_CHECKING, Protocol

from patchq.model.verification import StaleBytecode, Staleness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from patchq.model.tree import FileState

_PYC = re.compile(rb"(?P<folder>(?:.*/)?)__pycache__/(?P<stem>[^/]+?)\.[^/.]+(?:\.opt-[^/.]+)?\.pyc", re.DOTALL)
_HEADER = 16  # magic number, flags, then time and size, or a hash
_HASHED, _CHECKED = 0b01, 0b10
_WORD = 0xFFFF_FFFF


class DatedTree(Protocol):
    """A tree that knows when its files were changed."""

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path`."""
        ...

    def seconds(self, path: bytes) -> int | None:
        """Return when it was changed last, in seconds since 1970."""
        ...


def source_of(path: bytes) -> bytes | None:
    """Return the source that a path in `__pycache__` belongs to (PEP 3147); None for any other path."""
    found = _PYC.fullmatch(path)
    return None if found is None else found["folder"] + found["stem"] + b".py"


def stale_bytecode(tree: DatedTree, sources: Iterable[bytes], files: Iterable[bytes]) -> Iterator[StaleBytecode]:
    """Yield what of `files` is bytecode of one of `sources` (paths of the tree), and does not fit it."""
    wanted = set(sources)
    for path in files:
        source = source_of(path)
        if source not in wanted or source is None:
            continue
        compiled, text = tree.read(path), tree.read(source)
        if compiled is None or text is None:
            continue
        staleness = _staleness(compiled.data, text.data, tree.seconds(source))
        if staleness is not None:
            yield StaleBytecode(path, source, staleness)


def _staleness(compiled: bytes, text: bytes, seconds: int | None) -> Staleness | None:
    if len(compiled) < _HEADER:
        return Staleness.RECOMPILED
    flags = int.from_bytes(compiled[4:8], "little")
    if flags & _HASHED:
        if compiled[8:16] == source_hash(int.from_bytes(compiled[:4], "little"), text):
            return None
        return Staleness.RECOMPILED if flags & _CHECKED else Staleness.USED
    time, size = (int.from_bytes(compiled[at : at + 4], "little") for at in (8, 12))
    same_time = seconds is None or time == seconds & _WORD
    return None if same_time and size == len(text) & _WORD else Staleness.RECOMPILED
