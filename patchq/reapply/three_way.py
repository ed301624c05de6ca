"""The three-way rung: a merge by lines as git makes it, refused where the lines around a change have twins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from patchq.model.attempt import (
    Applied,
    Attempt,
    Case,
    Conflict,
    Conflicted,
    ConflictKind,
    Declined,
    Edit,
    EditFate,
    Evidence,
)
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.doubts import slides, twins
from patchq.reapply.spots import spot
from patchq.text.lines import line_ending, with_ending
from patchq.text.merge3 import Both, Clash, OnlyOurs, OnlyTheirs, Same, merge3, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.text.merge3 import Chunk


def three_way(case: Case) -> Attempt:
    """Merge by lines; a clash, and a change whose place is one of several equal ones, is a conflict.

    Where base and theirs end all lines in one way and ours in another, the merge is made in ours' way. Parts that
    upstream has already made itself are absorbed, which may be all of them.
    """
    if case.base == case.theirs:
        return Declined("the patch does not change the text")
    lines, notes = aligned(case)
    chunks = merge3(lines.base, lines.theirs, lines.ours)
    data = merged(chunks)
    if data is None:
        return Conflicted(tuple(_clashes(case, chunks)))
    doubts = (*twins(chunks, lines), *slides(chunks, lines))
    if doubts:
        conflicts = (_conflict(case, ConflictKind.AMBIGUOUS, doubt.reason, doubt.change) for doubt in doubts)
        return Conflicted(tuple(conflicts))
    return Applied(data, Evidence(rung=Rung.THREE_WAY, edits=tuple(_edits(case, chunks)), notes=notes))


def aligned(case: Case) -> tuple[Case, tuple[str, ...]]:
    """Give base and theirs the line ends of ours, where each of these texts has one kind throughout."""
    ending = line_ending(case.base)
    upstream = line_ending(case.ours)
    if ending is None or upstream is None or ending is upstream or line_ending(case.theirs) is not ending:
        return case, ()
    note = f"upstream's lines end with {upstream.name}, the patch was made for {ending.name}"
    return replace(case, base=with_ending(case.base, upstream), theirs=with_ending(case.theirs, upstream)), (note,)


def _edits(case: Case, chunks: Sequence[Chunk]) -> Iterator[Edit]:
    row = 0
    for chunk in chunks:
        match chunk:
            case OnlyTheirs():
                yield _edit(case, row, EditFate.CARRIED, "merged by lines")
                row += len(chunk.theirs.lines)
            case Both():
                yield _edit(case, row, EditFate.ABSORBED, "upstream has made the same change")
                row += len(chunk.ours.lines)
            case Same() | OnlyOurs() | Clash():
                row += len(chunk.ours.lines)
            case _:
                assert_never(chunk)


def _edit(case: Case, row: int, fate: EditFate, how: str) -> Edit:
    return Edit(fate=fate, review=ReviewClass.A, anchor=spot(case.ours_path, row), how=how)


def _clashes(case: Case, chunks: Sequence[Chunk]) -> Iterator[Conflict]:
    for chunk in chunks:
        if not isinstance(chunk, Clash):
            continue
        if chunk.base.lines and not chunk.ours.lines:
            reason = "upstream has deleted lines that the patch changes"
        elif chunk.base.lines and not chunk.theirs.lines:
            reason = "the patch deletes lines that upstream has changed"
        else:
            reason = "upstream and the patch change the same lines, or lines that touch"
        yield _conflict(case, ConflictKind.CLASH, reason, chunk)


def _conflict(case: Case, kind: ConflictKind, reason: str, chunk: Clash | OnlyTheirs) -> Conflict:
    return Conflict(
        kind=kind,
        reason=reason,
        anchor=spot(case.ours_path, chunk.ours.start),
        base=b"".join(chunk.base.lines),
        theirs=b"".join(chunk.theirs.lines),
        ours=b"".join(chunk.ours.lines),
    )
