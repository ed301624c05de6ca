"""How an open patch lies in a work tree: what is staged, and the files in question with their stages and marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.model.attempt import Case
from patchq.model.tree import PLAIN, FileState
from patchq.queue.merging import Marking, merge_file
from patchq.reapply.whole_file import NeedsContent, whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.queue.opened import Opened, OpenFile
    from patchq.text.conflict import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A file in question as git shows an unmerged one: stages 1, 2 and 3, and what lies in the work tree (`shown`)."""

    path: bytes
    base: FileState | None
    ours: FileState | None
    theirs: FileState | None
    shown: FileState | None


@dataclass(frozen=True, slots=True)
class Laying:
    """The whole patch: `unmerged` by path, and what is `staged` because nobody has to look at it."""

    unmerged: tuple[Laid, ...]
    staged: Mapping[bytes, FileState | None] = field(default_factory=dict)


def laying_of(opened: Opened, labels: Labels) -> Laying:
    """Lay out what is in question: a proposed result as it is, contents with markers, all else as git leaves it."""
    unmerged: dict[bytes, Laid] = {}
    staged = opened.writes
    for file in opened.files:
        path = _target(file)
        ours = opened.stack.read(path) if file.ours is None and path != file.here else file.ours
        if path != file.here and file.ours is not None:
            staged[file.here] = None
        shown = file.proposed[path] if path in file.proposed else _shown(file, path, ours, labels)
        unmerged[path] = Laid(path=path, base=file.sides.base, ours=ours, theirs=file.sides.theirs, shown=shown)
        for other, state in file.proposed.items():
            # Upstream has moved a part of the file there, and the patch's edits with it.
            if other not in unmerged and other != file.here:
                before = opened.stack.read(other)
                unmerged[other] = Laid(path=other, base=before, ours=before, theirs=state, shown=state)
    staged = {path: state for path, state in staged.items() if path not in unmerged}
    return Laying(tuple(unmerged[path] for path in sorted(unmerged)), staged)


def _target(file: OpenFile) -> bytes:
    """Name where the file ends: at its new name if the patch moves it, else where upstream has it."""
    change = file.sides.change
    source = change.path if file.sides.base is None or change.old_path is None else change.old_path
    moves = change.new_path is not None and change.new_path != source
    return change.path if moves else file.here


def _shown(file: OpenFile, path: bytes, ours: FileState | None, labels: Labels) -> FileState | None:
    base, theirs = file.sides.base, file.sides.theirs
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    if {ours.mode, theirs.mode} - PLAIN or (base is not None and base.mode not in PLAIN):
        return ours
    before = b"" if base is None else base.data
    case = Case(path=file.sides.change.path, ours_path=path, base=before, theirs=theirs.data, ours=ours.data)
    answer = whole_file(path, base, theirs, ours)
    mode = answer.mode if isinstance(answer, NeedsContent) else ours.mode
    return FileState(mode, merge_file(case, Marking(labels=labels)).data)
