"""The two sides of a patch on its own base: each file before and after it, and what its base is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.change import ChangeKind, TextBody
from patchq.reapply.apply import apply_change
from patchq.reapply.drift import Placed, locate_hunks

if TYPE_CHECKING:
    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader


@dataclass(frozen=True, slots=True)
class Sides:
    """One file change with its `base` state (at the old path) and its `theirs` state (at the new path)."""

    change: FileChange
    base: FileState | None
    theirs: FileState | None


@dataclass(frozen=True, slots=True)
class Misfit:
    """The patch does not apply to the base that it is said to be made for."""

    error: PatchqError


def sides_of(patch: Patch, base: TreeReader) -> tuple[Sides, ...] | Misfit:
    """Apply `patch` to its own base in memory: at the stated lines, or at its hunks' only places if they drifted."""
    made: list[Sides] = []
    for change in patch.changes:
        where = Where(file=change.path.decode("utf-8", "replace"), patch=str(patch.name))
        before = None if change.old_path is None else base.read(change.old_path)
        try:
            after = apply_change(change, before, where=where)
        except PatchqError as error:
            moved = _relocated(change, before)
            if moved is None:
                return Misfit(error)
            after = apply_change(moved, before, where=where)
        # A copy is a new file: upstream's later changes to its model are not the patch's.
        made.append(Sides(change, None if change.kind is ChangeKind.COPY else before, after))
    return tuple(made)


def _relocated(change: FileChange, before: FileState | None) -> FileChange | None:
    if before is None or not isinstance(change.body, TextBody):
        return None
    placement = locate_hunks(change.body.hunks, before.data)
    return replace(change, body=TextBody(placement.hunks)) if isinstance(placement, Placed) else None
