"""A place that may lack what a patch adds, as `patchq scan` tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.names import PatchName


class Age(Enum):
    """Whether the tree that was looked at before has the place."""

    NEW = "new"
    OLD = "old"
    UNKNOWN = "unknown"  # nothing to compare with


class Likeness(Enum):
    """How much a place is like the one that is patched."""

    CLOSE = "close"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacking:
    """One place: `address` is `path::steps`, `text` the siblings that it names, `missing` what is not beside them.

    `patches` are those that add it elsewhere; `score` is what places are ranked by.
    """

    path: bytes
    line: int
    address: str
    text: str
    missing: str
    patches: tuple[PatchName, ...]
    likeness: Likeness
    score: float
    age: Age = Age.UNKNOWN

    @property
    def key(self) -> tuple[bytes, str, str]:
        """What stays the same of a place when lines above it come and go."""
        return self.path, self.text, self.missing
