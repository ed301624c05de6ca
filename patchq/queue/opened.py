"""A patch that waits for a person: the files in question with their three sides, and what is carried of the others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.model.outcome import FileOutcome
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState
    from patchq.queue.carrying import FileResult
    from patchq.queue.overlay import Overlay
    from patchq.queue.refresh import Turn
    from patchq.queue.sides import Sides


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file in question: its base and theirs (`sides`), and what the new upstream with the patches below has `here`.

    `proposed` is what would be written if somebody accepted it; empty where there is no such result.
    """

    sides: Sides
    here: bytes
    ours: FileState | None
    proposed: Mapping[bytes, FileState | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A patch that a person has to decide about; it is to stand on `stack`. `carried` is made of its other files."""

    patch: Patch
    stack: Overlay
    renames: Mapping[bytes, bytes]
    files: tuple[OpenFile, ...]
    carried: tuple[Turn, ...]

    @property
    def key(self) -> str:
        """Name the contents in question by their SHA-256, in hex: paths, modes and bytes of all three sides."""
        whole = hashlib.sha256()
        for file in self.files:
            change = file.sides.change
            sides = ((change.old_path, file.sides.base), (change.new_path, file.sides.theirs), (file.here, file.ours))
            for path, state in sides:
                parts = (path, None, None) if state is None else (path, state.mode.value.encode(), state.data)
                for part in parts:
                    whole.update(b"-" if part is None else b"%d:" % len(part) + part)
        return whole.hexdigest()

    @property
    def writes(self) -> dict[bytes, FileState | None]:
        """Return what the files that are not in question write."""
        left = {turn.old_path: None for turn in self.carried if turn.old_path != turn.new_path}
        return {**left, **{turn.new_path: turn.new for turn in self.carried}}

    @property
    def own_paths(self) -> frozenset[bytes]:
        """Name the files that the patch touches, by the names that either side has for them."""
        named = {path for change in self.patch.changes for path in (change.old_path, change.new_path) if path}
        made = {path for file in self.files for path in (file.here, *file.proposed)}
        return frozenset({*named, *(self.renames.get(path, path) for path in named), *made, *self.writes})


def opened(
    patch: Patch, stack: Overlay, renames: Mapping[bytes, bytes], sides: Sequence[Sides], results: Sequence[FileResult]
) -> Opened:
    """Tell what is in question of a patch, file by file; all of it where no single file is."""
    asked = [any(in_question(part.outcome) for part in (result, *result.also)) for result in results]
    if not any(asked):
        asked = [True] * len(asked)
    files = [
        OpenFile(side, here, stack.read(here), _writes(result))
        for side, result, is_asked in zip(sides, results, asked, strict=True)
        if is_asked
        for here in (_here(side, renames),)
    ]
    carried = [
        part.turn
        for result, is_asked in zip(results, asked, strict=True)
        if not is_asked
        for part in (result, *result.also)
        if part.writes
    ]
    return Opened(patch=patch, stack=stack, renames=renames, files=tuple(files), carried=tuple(carried))


def in_question(file: FileOutcome) -> bool:
    """Whether a person has to decide about this file, or to look at it."""
    return file.verdict.needs_person or (file.review is not None and file.review.needs_review)


def _here(side: Sides, renames: Mapping[bytes, bytes]) -> bytes:
    change = side.change
    source = change.path if side.base is None or change.old_path is None else change.old_path
    return renames.get(source, source)


def _writes(result: FileResult) -> dict[bytes, FileState | None]:
    return dict(_pairs(result))


def _pairs(result: FileResult) -> Iterator[tuple[bytes, FileState | None]]:
    for part in (result, *result.also):
        yield from part.writes.items()
