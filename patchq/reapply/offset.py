"""The offset rung: every hunk, with all of its context, stands in upstream's text at exactly one place, its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import Where
from patchq.model.attempt import Applied, Attempt, Case, Declined, Edit, EditFate, Evidence
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.hunks import apply_hunks, at_rows, bare_ends, change_rows, first_row
from patchq.reapply.spots import listed, span, spot, times
from patchq.text.diff import diff, hunks_around
from patchq.text.lines import split_lines
from patchq.text.locate import LIMIT, follow, occurrences
from patchq.text.slack import could_touch
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.change import Hunk
    from patchq.text.diff import Region


def offset(case: Case) -> Attempt:
    """Move the hunks of base -> theirs to where the comparison of base and ours puts their lines, without any fuzz.

    A place is believed only if two independent findings agree on it: the search for the lines, and the comparison of
    the whole texts. So the twin of a block that upstream has deleted is never taken for the block; and where a block
    has twins, all of them must still be there, each at its own place. An edit of upstream elsewhere that neither adds
    nor removes such a twin cannot change the answer.
    """
    base, theirs, ours = split_lines(case.base), split_lines(case.theirs), split_lines(case.ours)
    mine = diff(base, theirs, how=Slide.LOW)
    if not mine:
        return Declined("the patch does not change the text")
    upstream = diff(base, ours, how=Slide.LOW)
    moving = hunks_around(mine, base, theirs)
    rows: list[int] = []
    for hunk in moving:
        match _place(hunk, case, upstream, len(ours)):
            case Declined() as declined:
                return declined
            case row:
                rows.append(row)
    # An insertion that upstream has taken may differ by where it starts among equal lines, and would be made twice.
    if could_touch(base, (theirs, mine), (ours, upstream)):
        return Declined("among equal lines, a change could be written so that it touches one of upstream's")
    placed = at_rows(moving, rows)
    edits = tuple(edit for old, new in zip(moving, placed, strict=True) for edit in _edits(case, old, new))
    return Applied(apply_hunks(placed, case.ours, where=Where()), Evidence(rung=Rung.OFFSET, edits=edits))


def _place(hunk: Hunk, case: Case, regions: Sequence[Region], count: int) -> int | Declined:
    """Return the row of ours, which has `count` lines, where the old lines of `hunk` belong."""
    block = hunk.old_lines
    start = first_row(hunk)
    end = start + len(block)
    words = f"{span(start, end)} of the base"
    in_base, in_ours = occurrences(block, case.base), occurrences(block, case.ours)
    if not in_ours:
        return Declined(f"{words} do not occur in upstream's file as they are")
    if len(in_base) != len(in_ours) or len(in_base) >= LIMIT:
        there = f"{times(len(in_ours))} in upstream's file: {listed(in_ours)}"
        return Declined(f"{words} occur {times(len(in_base))} there, and {there}")
    mapped = tuple(follow(regions, row, row + len(block)) for row in in_base)
    if mapped != in_ours:
        return Declined(f"{words} occur in upstream's file at {listed(in_ours)}, but they were not there before")
    row = in_ours[in_base.index(start)]
    opens, closes = bare_ends(hunk)
    if (opens and row > 0) or (closes and row + len(block) < count):
        return Declined(f"{words} are an edge of the file there, but not in upstream's file")
    return row


def _edits(case: Case, old: Hunk, new: Hunk) -> Iterator[Edit]:
    moved = new.old_start - old.old_start
    lines = "1 line" if abs(moved) == 1 else f"{abs(moved)} lines"
    way = f"{lines} further {'down' if moved > 0 else 'up'}" if moved else "at the same line"
    for row in change_rows(new):
        yield Edit(
            fate=EditFate.CARRIED,
            review=ReviewClass.A,
            anchor=spot(case.ours_path, row),
            how=f"the hunk and all of its context stand {way}",
        )
