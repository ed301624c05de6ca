"""Files of a tree as git sees them, and the protocol through which the core reads one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Mode(Enum):
    """The modes git stores for tree entries (gitformat-pack, `git ls-tree`)."""

    REGULAR = "100644"
    EXECUTABLE = "100755"
    SYMLINK = "120000"
    GITLINK = "160000"


# Modes of files that have contents to be merged.
PLAIN = frozenset({Mode.REGULAR, Mode.EXECUTABLE})


@dataclass(frozen=True, slots=True)
class FileState:
    """One file: its mode and its bytes (for a symlink the target, for a gitlink the commit id in hex)."""

    mode: Mode
    data: bytes


class TreeReader(Protocol):
    """A tree that can be read file by file; paths are git paths: bytes, `/` between parts, no leading `/`."""

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path`, or None where the tree has no file (or a folder) there."""
        ...
