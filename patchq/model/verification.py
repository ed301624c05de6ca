"""Whether the effect of patches is in a tree: the word for each, file by file, and what else is wrong with the tree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.names import PatchName


class State(Enum):
    """What a tree has of a patch, of one of its files, or of what it put at one anchor."""

    PRESENT = "present"
    ABSENT = "absent"  # the place is as it was before the patch
    PARTIAL = "partial"  # some of it is there
    DIVERGED = "diverged"  # the same place has another content
    TARGET_GONE = "target-gone"  # what the patch changes is not there


class Demand(Enum):
    """Whether a tree without the patch is a finding."""

    REQUIRED = "required"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class AnchorSight:
    """What a tree has at one anchor of a patch."""

    anchor: str
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSight:
    """What a tree has of a patch in one file, whose `path` is that of the series.

    `state` is None for a file that such a tree does not hold: a wheel has no tests. `reason` is a phrase for people;
    `anchors` are those that were looked at.
    """

    path: bytes
    state: State | None
    reason: str
    anchors: tuple[AnchorSight, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchSight:
    """What a tree has of one patch."""

    name: PatchName
    state: State
    demand: Demand
    files: tuple[FileSight, ...]

    @property
    def missing(self) -> bool:
        """Whether a required patch is not wholly there."""
        return self.demand is Demand.REQUIRED and self.state is not State.PRESENT


class Staleness(Enum):
    """What Python does with bytecode that was compiled from another source than the one beside it (PEP 552)."""

    RECOMPILED = "recompiled"  # time, size or checked hash differ: the next import compiles anew
    USED = "used"  # an unchecked hash: the old code runs


@dataclass(frozen=True, slots=True)
class StaleBytecode:
    """A `.pyc` file that does not belong to the source beside it; both are paths of the tree."""

    path: bytes
    source: bytes
    staleness: Staleness
