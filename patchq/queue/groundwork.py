"""What files were before the patches of a series, from the patched tree and the patches alone: by ids, and by lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.change import ChangeKind, TextBody
from patchq.queue.overlay import Overlay
from patchq.reapply.apply import apply_change, reverse_change
from patchq.reapply.describe import blob_id, hash_of
from patchq.reapply.drift import Placed, locate_hunks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader


class Ground(Enum):
    """How far a file of the tree is known."""

    KNOWN = "known"  # its object id is one that the patches state
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """One file of the tree without the changes of the series.

    `done` are the numbers of the changes that it has already. `before` is None where that cannot be told: then some
    change neither stands there nor fits.
    """

    ground: Ground
    before: FileState | None
    done: frozenset[int]


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
    """Take back what `state` has of `changes`, which change one file in place, one after the other.

    A change is there if it can be taken back in one place only, and cannot be made (again). The file is known if an
    object id says so, of itself or of what is left; an id alone is not believed: people edit hunks and leave it.
    """
    for done in range(len(changes), -1, -1):
        stated = changes[done - 1].new_id if done else changes[0].old_id
        if _has_id(state, stated):
            before = _undone(changes[:done], state)
            if before is not None and _has_id(before, changes[0].old_id):
                return Footing(ground=Ground.KNOWN, before=before, done=frozenset(range(done)))
    now, found = state, set()
    for number in range(len(changes) - 1, -1, -1):
        back = _applied(reverse_change(changes[number]), now)
        if back is not None and _applied(changes[number], now) is None:
            now = back
            found.add(number)
    known = _has_id(now, changes[0].old_id) and _done(changes, now) is not None
    fits = known or _done(changes, now) is not None
    ground = Ground.KNOWN if known else Ground.UNKNOWN
    return Footing(ground=ground, before=now if fits else None, done=frozenset(found))


def without(patches: Sequence[Patch], tree: TreeReader) -> Groundwork:
    """Return `tree` as it was before those of `patches` that it has, as far as they tell."""
    overlay = Overlay(tree)
    chains = in_place(patches)
    for patch in reversed(patches):
        for change in reversed(patch.changes):
            if change.path not in chains:
                overlay = overlay.written(_taken_back(change, overlay))
    doubtful: dict[bytes, Footing] = {}
    for path, changes in chains.items():
        state = tree.read(path)
        if state is None:
            continue
        foot = footing(changes, state)
        if foot.ground is Ground.UNKNOWN:
            doubtful[path] = foot
        if foot.before is not None and foot.before != state:
            overlay = overlay.written({path: foot.before})
    return Groundwork(overlay, doubtful)


@dataclass(frozen=True, slots=True)
class Groundwork:
    """A tree without the patches; `doubtful` are the files of which no object id says that they are the right ones."""

    tree: Overlay
    doubtful: Mapping[bytes, Footing]


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


def _done(changes: Sequence[FileChange], state: FileState) -> FileState | None:
    now: FileState | None = state
    for change in changes:
        now = None if now is None else _applied(change, now)
    return now


def _taken_back(change: FileChange, tree: Overlay) -> dict[bytes, FileState | None]:
    """Undo a creation, a deletion or a renaming, if it is there; a copy is taken for a creation of these bytes."""
    old, new = change.old_path, change.new_path
    if change.kind is ChangeKind.COPY or (new is not None and tree.read(new) is None):
        return {}
    if old is not None and tree.read(old) is not None:
        return {}
    state = None if new is None else tree.read(new)
    where = Where(file=change.path.decode("utf-8", "replace"))
    try:
        before = apply_change(reverse_change(change), state, where=where)
    except PatchqError:
        return {}
    return {**({} if new is None else {new: None}), **({} if old is None else {old: before})}


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
