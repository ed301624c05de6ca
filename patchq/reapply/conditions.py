"""Whether upstream has the lines of an edit under a condition that the patch does not have around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.reapply.aligning import NOWHERE

if TYPE_CHECKING:
    from patchq.reapply.aligning import Alignment, Lines

_CONDITION = re.compile(rb"[}\s]*(?:if|elif|else|elsif|unless|while|when|match|switch|case|#\s*(?:if|el))\b")
_GATE = re.compile(rb"\s*#\s*(?:if|el)")
_TAB = 8


def new_condition(sides: Alignment, new: range) -> bytes | None:
    """Return the line of ours that makes the rows `new` of theirs depend on something; None where there is none.

    By indentation, which all languages that people write have: the line above with less of it, which theirs does not
    have, while what is around the edit in theirs is around that line in ours. `#if` needs no indentation.
    """
    for row in new:
        here = sides.theirs_to_ours[row]
        if here != NOWHERE and sides.theirs.keys[row]:
            return _gate(sides, here) or _owner_between(sides, row, here)
    return None


def _owner_between(sides: Alignment, row: int, here: int) -> bytes | None:
    owner, holder = owner_of(sides.ours, here), owner_of(sides.theirs, row)
    if owner is None or sides.ours_to_theirs[owner] != NOWHERE or not _CONDITION.match(sides.ours.lines[owner]):
        return None
    around = NOWHERE if holder is None else sides.theirs_to_ours[holder]
    if holder is not None and (around == NOWHERE or around >= owner):
        return None
    return sides.ours.lines[owner].strip()


def _gate(sides: Alignment, here: int) -> bytes | None:
    """Find a line `#if` of upstream's own right above."""
    row = here - 1
    while row >= 0 and sides.ours_to_theirs[row] == NOWHERE:
        if _GATE.match(sides.ours.lines[row]):
            return sides.ours.lines[row].strip()
        row -= 1
    return None


def owner_of(side: Lines, row: int) -> int | None:
    """Return the nearest row above with less indentation, None for a line at the margin."""
    depth = _depth(side.lines[row])
    if depth == 0:
        return None
    for above in range(row - 1, -1, -1):
        if side.keys[above] and _depth(side.lines[above]) < depth:
            return above
    return None


def _depth(line: bytes) -> int:
    blank = line[: len(line) - len(line.lstrip(b" \t"))]
    return blank.count(b" ") + _TAB * blank.count(b"\t")
