"""What a patch writes when it is applied as it stands, and what it must not write over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, PatchFormatError, Where
from patchq.model.change import ChangeKind
from patchq.queue.refresh import Turn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.sides import Sides

_LEAVES = frozenset({ChangeKind.DELETE, ChangeKind.RENAME})


def writes_of(patch: Patch, sides: Sequence[Sides], tree: TreeReader) -> dict[bytes, FileState | None]:
    """Return what `patch` makes of each path of `tree` (None: deleted), given its `sides` there.

    What leaves a path goes first: two files may change places. PatchFormatError for a patch that changes a file twice,
    of which one change would be lost; ApplyError for one that writes over a file, or below one (a symlink included).
    """
    changes = [side.change for side in sides]
    leaving = [change.old_path for change in changes if change.kind in _LEAVES and change.old_path is not None]
    written = [change.new_path for change in changes if change.new_path is not None]
    sources = leaving + [path for change in changes if change.kind is ChangeKind.MODIFY and (path := change.old_path)]
    twice = [path for paths in (sources, written) for path, count in Counter(paths).items() if count > 1]
    if twice:
        raise PatchFormatError(
            "the patch changes this file twice",
            hint="split it into two patches and import them one after the other",
            where=_where(patch, twice[0]),
        )
    for change in changes:
        _refuse_overwriting(patch, change, frozenset(leaving), tree)
    made = {side.change.new_path: side.theirs for side in sides if side.change.new_path is not None}
    return {**dict.fromkeys(leaving), **made}


def turn_of(side: Sides) -> Turn:
    """Return one file before and after; a copy is a new file."""
    change = side.change
    old_path = change.path if change.old_path is None or side.base is None else change.old_path
    return Turn(old_path=old_path, old=side.base, new_path=change.path, new=side.theirs)


def _refuse_overwriting(patch: Patch, change: FileChange, leaving: Collection[bytes], tree: TreeReader) -> None:
    path = change.new_path
    if path is None:
        return
    if path != change.old_path and path not in leaving and tree.read(path) is not None:
        raise ApplyError("the file that the patch makes exists already", where=_where(patch, path))
    for parent in _parents(path):
        if parent not in leaving and tree.read(parent) is not None:
            above = parent.decode("utf-8", "replace")
            raise ApplyError(f"{above} is a file or a symlink, not a folder", where=_where(patch, path))


def _parents(path: bytes) -> Iterator[bytes]:
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        yield path


def _where(patch: Patch, path: bytes) -> Where:
    return Where(file=path.decode("utf-8", "replace"), patch=str(patch.name))
