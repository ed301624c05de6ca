"""Which patch needs which: the words in which a dependency between two patches of a series is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.names import PatchName


class NeedKind(Enum):
    """How one patch needs another, strongest first."""

    FILE = "file"  # it changes, moves or deletes a file that the other one makes or moves
    LINES = "lines"  # it changes or removes lines that the other one wrote
    BESIDE = "beside"  # it changes lines that touch those that the other one wrote or removed
    NAME = "name"  # it uses a name that the other one defines, maybe in another file


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """`patch` needs `on`, an earlier one; `what` is the path or the name that says so."""

    patch: PatchName
    on: PatchName
    kind: NeedKind
    what: str
