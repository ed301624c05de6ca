"""What files were before the patches of a series, from the patched tree and the patches alone: by ids, and by lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.change import ChangeKind, TextBody
from patchq.reapply.apply import apply_change, reverse_change
from patchq.reapply.describe import blob_id, hash_of
from patchq.reapply.drift import Placed, locate_hunks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader


class Ground(Enum):
    """How far a file of the tree is known."""

    KNOWN = "known"  # its object id is one that the patches state
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """One file that the series changes in place: `before` any patch, and the number of changes that it has already.

    `before` is None where that cannot be told from the patches: some of them seem to be there, and others not to.
    """

    ground: Ground
    before: FileState | None
    done: int


def in_place(patches: Sequence[Patch]) -> dict[bytes, list[FileChange]]:
    """Return the changes of each file that the whole series leaves where it is, in order."""
    found: dict[bytes, list[FileChange]] = {}
    others: set[bytes] = set()
    for patch in patches:
        for change in patch.changes:
            if change.kind is ChangeKind.MODIFY:
                found.setdefault(change.path, []).append(change)
            else:
                others |= {path for path in (change.old_path, change.new_path) if path is not None}
    return {path: changes for path, changes in found.items() if path not in others}


def footing(changes: Sequence[FileChange], state: FileState) -> Footing:
    """Say what `state` is in the life of a file that `changes` change one after the other."""
    for done in range(len(changes), -1, -1):
        stated = changes[done - 1].new_id if done else changes[0].old_id
        if _has_id(state, stated):
            before = _undone(changes[:done], state)
            # Ids that a person left as they were while editing the hunks say nothing.
            if before is not None and (not done or _has_id(before, changes[0].old_id)):
                return Footing(ground=Ground.KNOWN, before=before, done=done)
    for done in range(len(changes), 0, -1):
        before = _undone(changes[:done], state)
        if before is not None and all(not _fits(change, state) for change in changes[:done]):
            return Footing(ground=Ground.UNKNOWN, before=before, done=done)
    if all(_fits(change, state) for change in changes[:1]):
        return Footing(ground=Ground.UNKNOWN, before=state, done=0)
    return Footing(ground=Ground.UNKNOWN, before=None, done=0)


def pristine_count(patches: Sequence[Patch], tree: TreeReader) -> int:
    """Count the files that are, by their ids, as some number of the patches leaves them."""
    count = 0
    for path, changes in in_place(patches).items():
        state = tree.read(path)
        count += state is not None and footing(changes, state).ground is Ground.KNOWN
    return count


def _undone(changes: Sequence[FileChange], state: FileState) -> FileState | None:
    """Take `changes` back, the last one first; None where one of them is not there, or not in one place only."""
    now: FileState | None = state
    for change in reversed(changes):
        now = None if now is None else _applied(reverse_change(change), now)
    return now


def _fits(change: FileChange, state: FileState) -> bool:
    return _applied(change, state) is not None


def _applied(change: FileChange, state: FileState) -> FileState | None:
    where = Where(file=change.path.decode("utf-8", "replace"))
    try:
        if isinstance(change.body, TextBody):
            placed = locate_hunks(change.body.hunks, state.data)
            if not isinstance(placed, Placed):
                return None
            change = replace(change, body=TextBody(placed.hunks))
        return apply_change(change, state, where=where)
    except PatchqError:
        return None


def _has_id(state: FileState, stated: str | None) -> bool:
    algorithm = None if stated is None else hash_of(stated)
    return algorithm is not None and blob_id(state.data, algorithm) == stated
