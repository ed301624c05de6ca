"""The two sides of a patch on its own base: each file before and after it, and what the whole of it writes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, PatchFormatError, PatchqError, Where
from patchq.model.change import ChangeKind, TextBody
from patchq.queue.overlay import Overlay
from patchq.queue.refresh import Turn
from patchq.reapply.apply import apply_change
from patchq.reapply.drift import Placed, locate_hunks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.change import FileChange
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader

_LEAVES = frozenset({ChangeKind.DELETE, ChangeKind.RENAME})


@dataclass(frozen=True, slots=True)
class Sides:
    """One file with its `base` state (at the old path) and its `theirs` state (at the new path).

    `changes` is the one change of the patch that says so; for a file that becomes a symlink (or the other way round)
    they are two, as git writes them: deletion and creation.
    """

    changes: tuple[FileChange, ...]
    base: FileState | None
    theirs: FileState | None

    @property
    def change(self) -> FileChange:
        """The change that names where the file ends."""
        return self.changes[-1]


@dataclass(frozen=True, slots=True)
class Misfit:
    """The patch does not apply to the base that it is said to be made for."""

    error: PatchqError


def sides_of(patch: Patch, base: TreeReader) -> tuple[Sides, ...] | Misfit:
    """Apply `patch` to its own base in memory: at the stated lines, or at its hunks' only places if they drifted.

    A patch that changes one file twice, or writes over a file (or below one), fits nowhere.
    """
    made: dict[bytes, Sides] = {}
    try:
        _refuse_twice(patch)
        for change in patch.changes:
            _refuse_overwriting(patch, change, base)
            side = _applied(patch, change, base)
            gone = made.pop(change.path, None) if change.kind is ChangeKind.CREATE else None
            made[change.path] = side if gone is None else Sides((*gone.changes, change), gone.base, side.theirs)
    except PatchqError as error:
        return Misfit(error)
    return tuple(made.values())


def stacked_sides(patches: Sequence[Patch], base: TreeReader) -> dict[PatchName, tuple[Sides, ...]]:
    """Apply `patches` one after the other to `base` in memory; those that do not fit are left out."""
    found: dict[PatchName, tuple[Sides, ...]] = {}
    stack = Overlay(base)
    for patch in patches:
        sides = sides_of(patch, stack)
        if not isinstance(sides, Misfit):
            found[patch.name] = sides
            stack = stack.written(writes_of(sides))
    return found


def writes_of(sides: Sequence[Sides]) -> dict[bytes, FileState | None]:
    """Return what a patch makes of each path of its base (None: deleted); what leaves a path goes first.

    Two files may change places, so a deletion must not come behind the writing of its path.
    """
    left = [side.change.old_path for side in sides if side.change.kind in _LEAVES]
    written = {side.change.new_path: side.theirs for side in sides if side.change.new_path is not None}
    return {**dict.fromkeys(path for path in left if path is not None), **written}


def turn_of(side: Sides) -> Turn:
    """Return one file before and after; a copy is a new file."""
    change = side.change
    old_path = change.path if change.old_path is None or side.base is None else change.old_path
    return Turn(old_path=old_path, old=side.base, new_path=change.path, new=side.theirs)


def leaving(patch: Patch) -> frozenset[bytes]:
    """Name the paths that the patch empties, by deletion or by moving the file."""
    return frozenset(path for change in patch.changes if change.kind in _LEAVES and (path := change.old_path))


def _applied(patch: Patch, change: FileChange, base: TreeReader) -> Sides:
    where = _where(patch, change.path)
    before = None if change.old_path is None else base.read(change.old_path)
    try:
        after = apply_change(change, before, where=where)
    except PatchqError:
        moved = _relocated(change, before)
        if moved is None:
            raise
        after = apply_change(moved, before, where=where)
    # A copy is a new file: upstream's later changes to its model are not the patch's.
    return Sides((change,), None if change.kind is ChangeKind.COPY else before, after)


def _relocated(change: FileChange, before: FileState | None) -> FileChange | None:
    if before is None or not isinstance(change.body, TextBody):
        return None
    placement = locate_hunks(change.body.hunks, before.data)
    return replace(change, body=TextBody(placement.hunks)) if isinstance(placement, Placed) else None


def _refuse_twice(patch: Patch) -> None:
    sources = [change.old_path for change in patch.changes if change.kind is not ChangeKind.COPY]
    for paths in (sources, [change.new_path for change in patch.changes]):
        for path, count in Counter(path for path in paths if path is not None).items():
            if count > 1:
                raise PatchFormatError(
                    "the patch changes this file twice",
                    hint="split it into two patches, one after the other",
                    where=_where(patch, path),
                )


def _refuse_overwriting(patch: Patch, change: FileChange, tree: TreeReader) -> None:
    path, emptied = change.new_path, leaving(patch)
    if path is None:
        return
    if path != change.old_path and path not in emptied and tree.read(path) is not None:
        raise ApplyError("the file that the patch makes exists already", where=_where(patch, path))
    for parent in parents(path):
        if parent not in emptied and tree.read(parent) is not None:
            above = parent.decode("utf-8", "replace")
            raise ApplyError(f"{above} is a file or a symlink, not a folder", where=_where(patch, path))


def parents(path: bytes) -> Iterator[bytes]:
    """Yield the folders that `path` needs, innermost first."""
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        yield path


def _where(patch: Patch, path: bytes) -> Where:
    return Where(file=path.decode("utf-8", "replace"), patch=str(patch.name))
