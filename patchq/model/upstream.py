"""Upstream's history of a few files: commits that change them, the versions before and after, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from patchq.model.tree import FileState, Mode


@dataclass(frozen=True, slots=True)
class Version:
    """What a commit has at a path: the mode, and the id of the blob (or of a submodule's commit) in hex."""

    mode: Mode
    object_id: str


@dataclass(frozen=True, slots=True)
class Turned:
    """One path in one commit: the version in the parent and the one after; None where there is no file."""

    before: Version | None
    after: Version | None


@dataclass(frozen=True, slots=True)
class Step:
    """A commit that changes some of the paths asked for, against the first of its `parents`; ids in hex.

    The parents are in the order of the commit, but one that stands on the base comes before those that do not.
    """

    commit: str
    parents: tuple[str, ...]
    changes: Mapping[bytes, Turned]


class History(Protocol):
    """The commits that are reachable from a tip and not from a base, as far as they are here.

    A commit without parents, a real root as well as the edge of a shallow clone, is never a step: what was before it
    is not known, so that it cannot be shown to have brought anything.
    """

    @property
    def tip(self) -> str:
        """The commit at which the history ends."""
        ...

    @property
    def complete(self) -> bool:
        """Whether no commit between base and tip is cut off."""
        ...

    def steps(self, start: str, paths: frozenset[bytes]) -> Iterator[Step]:
        """Yield the commits on the line of first parents from `start` on that change one of `paths`, newest first.

        A line ends where it leaves the history, or comes upon the line of first parents of the tip.
        """
        ...

    def holds(self, commit: str) -> bool:
        """Whether `commit` is one of the history."""
        ...

    def rank(self, commit: str) -> int:
        """Return a number that is lower for newer commits: a commit comes before all that it stands on."""
        ...

    def brought_by(self, commit: str) -> str | None:
        """Return the merge on the tip's line of first parents with which `commit` came; None for one on that line."""
        ...

    def versions(self, commit: str, paths: frozenset[bytes]) -> Mapping[bytes, Version | None]:
        """Return what `commit` has at each of `paths`."""
        ...

    def read(self, version: Version) -> FileState:
        """Return the bytes of a version."""
        ...

    def came_from(self, step: Step, path: bytes) -> tuple[bytes, Version] | None:
        """Return which file of the first parent `step` has moved to `path`, if it moved one."""
        ...
