"""Resolutions: what a person has decided about a patch that could not be carried, kept to be used again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.model.names import PatchName

_ID_DIGITS = 12


class Decision(Enum):
    """What a person has decided."""

    RESULT = "result"  # the patch does now what the resolution's diff does
    ABSORBED = "absorbed"  # upstream has what the patch does


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One decision. `key` is the SHA-256, in hex, of the contents that were in question: base, theirs and ours.

    `diff` changes the upstream with the patches below into the result, apart from files that patchq carries itself;
    `kept` are files that stay as they are there, though patchq would carry them. `also` are files that the patch did
    not touch before, and `unparsed` those with new parse errors; both were accepted by name. Paths are decoded with
    surrogateescape. `name` and `ref` say for people where it was made.
    """

    key: str
    name: PatchName
    ref: str
    decision: Decision = Decision.RESULT
    kept: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()
    diff: bytes = b""

    @property
    def identity(self) -> str:
        """What people call it by: the first digits of its key."""
        return self.key[:_ID_DIGITS]


@dataclass(frozen=True, slots=True)
class Resolutions:
    """`series/resolutions.yaml`: one entry for each key, in the order of the keys."""

    entries: tuple[Resolution, ...] = ()

    def find(self, key: str) -> Resolution | None:
        """Return the entry of `key`, if any."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def joined(self, new: tuple[Resolution, ...]) -> Resolutions:
        """Return these with `new`, which win where a key is there already."""
        found = {entry.key: entry for entry in (*self.entries, *new)}
        return Resolutions(tuple(found[key] for key in sorted(found)))
