"""Why a patch does not fit where it is to go: it is there already, another patch does the same, or this one line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, PatchqError, Where
from patchq.model.change import BinaryBody, ChangeKind, LineKind, TextBody
from patchq.queue.sides import Misfit, sides_of
from patchq.reapply.apply import reverse_change
from patchq.reapply.drift import Placed, Unplaced, locate_hunks
from patchq.reapply.hunks import apply_hunks, at_rows, first_row
from patchq.reapply.spots import listed
from patchq.text.locate import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.change import FileChange, Hunk
    from patchq.model.patch import Patch
    from patchq.model.tree import TreeReader


def same_diff(one: Patch, two: Patch) -> bool:
    """Whether two patches say the same about the same files; line numbers, headings and blob ids do not count."""
    return _paths(one) == _paths(two) and _said(one.changes, LineKind) == _said(two.changes, LineKind)


def does_the_same(one: Patch, two: Patch) -> bool:
    """Whether two patches add and remove the same lines of the same files, wherever and in whatever context."""
    edits = (LineKind.ADDED, LineKind.REMOVED)
    return _paths(one) == _paths(two) and _said(one.changes, edits) == _said(two.changes, edits)


def missing_files(patch: Patch, tree: TreeReader) -> tuple[bytes, ...]:
    """Return the paths that `patch` changes and `tree` does not have."""
    old = (change.old_path for change in patch.changes)
    return tuple(path for path in old if path is not None and tree.read(path) is None)


def fits(patch: Patch, tree: TreeReader) -> bool:
    """Whether `patch` applies to `tree`."""
    return not isinstance(sides_of(patch, tree), Misfit)


def is_there(patch: Patch, tree: TreeReader) -> bool:
    """Whether `tree` has all of `patch` already: taking it back would apply. It is only asked, never taken back."""
    if any(_one_way(change) for change in patch.changes):
        return False
    back = replace(patch, changes=tuple(map(reverse_change, patch.changes)))
    return fits(back, tree)


def pinpoint(patch: Patch, tree: TreeReader, error: PatchqError) -> PatchqError:
    """Name the hunk that has no place, and the first line that differs where the hunks before it say it should stand.

    `error` is what trying the stated lines gave: it may name a hunk that has only drifted. It is returned where there
    is nothing better to say.
    """
    for change in patch.changes:
        alone = sides_of(replace(patch, changes=(change,)), tree)
        if not isinstance(alone, Misfit):
            continue
        state = None if change.old_path is None else tree.read(change.old_path)
        if state is None or not isinstance(change.body, TextBody):
            return alone.error
        placement = locate_hunks(change.body.hunks, state.data)
        if isinstance(placement, Placed):
            return alone.error
        where = Where(file=change.path.decode("utf-8", "replace"), patch=str(patch.name), hunk=placement.hunk)
        return ApplyError(_reason(change.body.hunks, placement, state.data), where=where)
    return error


def _paths(patch: Patch) -> list[bytes]:
    return sorted(change.path for change in patch.changes)


def _said(changes: Sequence[FileChange], kinds: Iterable[LineKind]) -> object:
    wanted = tuple(kinds)

    def words(change: FileChange) -> tuple[bytes, str, bytes, object, object]:
        mode = (change.old_mode, change.new_mode) if change.old_mode is not change.new_mode else None
        body: object = change.body
        if isinstance(change.body, TextBody):
            lines = (line for hunk in change.body.hunks for line in hunk.lines)
            body = tuple((line.kind, line.text) for line in lines if line.kind in wanted)
        return (change.path, change.kind.value, change.old_path or b"", mode, body)

    return sorted(map(words, changes), key=lambda said: said[:3])


def _one_way(change: FileChange) -> bool:
    return change.kind is ChangeKind.COPY or (isinstance(change.body, BinaryBody) and change.body.reverse is None)


def _reason(hunks: Sequence[Hunk], unplaced: Unplaced, data: bytes) -> str:
    """Say where else the hunk would fit; or, where it fits nowhere, the first line in the way at its likely place."""
    before, hunk = hunks[: unplaced.hunk - 1], hunks[unplaced.hunk - 1]
    if unplaced.candidates:
        return f"it does not fit at {listed((first_row(hunk),))}, where it says, and {unplaced.reason}"
    placed = locate_hunks(before, data) if before else None
    drift = placed.hunks[-1].old_start - before[-1].old_start if isinstance(placed, Placed) else 0
    row = max(first_row(hunk) + drift, 0)
    try:
        apply_hunks(at_rows((hunk,), (row,)), data, where=Where())
    except PatchqError as error:
        return (
            error.message if occurrences(hunk.old_lines, data) else f"{error.message}, and its lines stand nowhere else"
        )
    return f"at {listed((row,))}: {unplaced.reason}"
