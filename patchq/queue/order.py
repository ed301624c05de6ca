"""The order of a series changed: one patch moved, a new one put in, some taken out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from patchq.model.names import PatchName
    from patchq.model.series import Entry


class Side(Enum):
    """On which side of another patch."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Beside:
    """The place directly before or after a patch."""

    side: Side
    name: PatchName


class End(Enum):
    """A place at one of the ends."""

    FIRST = "first"
    LAST = "last"


Place = Beside | End


def without(entries: Iterable[Entry], names: Collection[PatchName]) -> tuple[Entry, ...]:
    """Take the patches `names` out."""
    return tuple(entry for entry in entries if entry.patch.name not in names)


def put(entries: Sequence[Entry], these: Sequence[Entry], place: Place) -> tuple[Entry, ...]:
    """Put `these` at `place` among `entries`, which must not hold them."""
    index = _index(entries, place)
    return (*entries[:index], *these, *entries[index:])


def moved(entries: Sequence[Entry], name: PatchName, place: Place) -> tuple[Entry, ...]:
    """Move one patch to `place`."""
    these = [entry for entry in entries if entry.patch.name == name]
    return put(without(entries, {name}), these, place)


def gathered(entries: Sequence[Entry], names: Collection[PatchName], into: PatchName) -> tuple[Entry, ...]:
    """Move the patches `names` to `into`: those before it directly before it, the others directly behind it."""
    at = [entry.patch.name for entry in entries].index(into)
    ahead = [entry for entry in entries[:at] if entry.patch.name in names]
    behind = [entry for entry in entries[at:] if entry.patch.name in names]
    rest = put(without(entries, names), ahead, Beside(Side.BEFORE, into))
    return put(rest, behind, Beside(Side.AFTER, into))


def replaced(entries: Iterable[Entry], name: PatchName, these: Sequence[Entry]) -> tuple[Entry, ...]:
    """Put `these` in the place of the patch `name`."""
    return tuple(it for entry in entries for it in (these if entry.patch.name == name else (entry,)))


def _index(entries: Sequence[Entry], place: Place) -> int:
    match place:
        case End.FIRST:
            return 0
        case End.LAST:
            return len(entries)
        case Beside(side, name):
            at = [entry.patch.name for entry in entries].index(name)
            return at if side is Side.BEFORE else at + 1
        case _:
            assert_never(place)
