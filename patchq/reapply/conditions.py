"""Whether upstream has the lines of an edit where they do not take effect: under a condition, or behind a way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.reapply.aligning import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.reapply.aligning import Alignment, Lines

_CONDITION = re.compile(
    rb"[}\s]*(?:if|elif|else|elsif|unless|while|when|match|switch|case|except|catch|#\s*(?:if|el))\b"
)
# A nested definition runs where it is called, if anywhere.
_DEFINITION = re.compile(rb"\s*(?:async\s+)?(?:def|function|fn|func)\s+(\w+)")
_GATE = re.compile(rb"\s*(?:#\s*if\w*|ifn?def|ifn?eq)\b")
_GATE_ENDS = re.compile(rb"^[ \t]*(?:#\s*)?endif\b", re.MULTILINE)
_INCLUDE_GUARD = re.compile(rb"\s*#\s*ifndef\s+(\w+)")
_ATTRIBUTE = re.compile(rb"\s*#!?\[")
_CFG = re.compile(rb"\s*#\[\s*cfg\b")
_LEAVES = re.compile(rb"\s*(?:return|raise|throw|continue|break|goto|exit)\b")
# What starts another arm of the same block, which a way out above it does not leave.
_LABEL = re.compile(rb"\s*(?:case\b.*|default\b.*|\w+\s*):?\s*:\s*$|[^(]*(?:;;|\))\s*$")
_SECTION = re.compile(rb"\[\[?[\w.\"' -]+\]\]?\s*(?:[#;].*)?$")
_WORD = re.compile(rb"\w")
_TAB = 8


def new_condition(sides: Alignment, new: range) -> bytes | None:
    """Return the line of ours that makes the rows `new` of theirs depend on something; None where there is none.

    By indentation, which all languages that people write have: a line around the edit with less of it, which theirs
    does not have, while what is around the edit in theirs is around that line in ours. `#if`, `ifdef` of make and
    `#[cfg]` need no indentation.
    """
    for row in new:
        here = sides.theirs_to_ours[row]
        if here != NOWHERE and sides.theirs.keys[row]:
            return _gate(sides, here) or _attribute(sides, here) or _owner_between(sides, row, here)
    return None


def way_out(sides: Alignment, new: range) -> bytes | None:
    """Return a line of upstream's own, before the rows `new` of theirs in their block, that always leaves the block."""
    for row in new:
        here = sides.theirs_to_ours[row]
        if here == NOWHERE or not sides.theirs.keys[row]:
            continue
        depth = _depth(sides.ours.lines[here])
        for above in range(here - 1, -1, -1):
            line = sides.ours.lines[above]
            if not sides.ours.keys[above] or _depth(line) > depth:
                continue
            if _depth(line) < depth or _LABEL.match(line):
                return None
            if sides.ours_to_theirs[above] == NOWHERE and _LEAVES.match(line):
                return line.strip()
        return None
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


def owners(side: Lines, row: int) -> Iterator[int]:
    """Go through the rows around `row`, innermost first; a bracket alone on its line counts for the line above it.

    A line at the margin belongs to the `[section]` above it, as in TOML, if there is one.
    """
    owner, named = owner_of(side, row), row
    while owner is not None:
        named = owner
        while named > 0 and not _WORD.search(side.lines[named]):
            named -= 1
        yield named
        owner = owner_of(side, named)
    section = next((above for above in range(named - 1, -1, -1) if _SECTION.match(side.lines[above])), None)
    if section is not None:
        yield section


def _owner_between(sides: Alignment, row: int, here: int) -> bytes | None:
    owner, holder = owner_of(sides.ours, here), owner_of(sides.theirs, row)
    if owner is None:
        return None
    line = sides.ours.lines[owner]
    if sides.ours_to_theirs[owner] != NOWHERE:
        same = holder is not None and sides.ours_to_theirs[owner] == holder
        return _owner_between(sides, holder, owner) if same and holder is not None else None
    around = NOWHERE if holder is None else sides.theirs_to_ours[holder]
    if holder is not None and (around == NOWHERE or around >= owner):
        return None
    outer = 0 if holder is None else _depth(sides.theirs.lines[holder])
    idle = _depth(line) > outer and not _is_called(sides.ours, owner)
    return line.strip() if _CONDITION.match(line) or idle else None


def _is_called(side: Lines, row: int) -> bool:
    """Whether what a row defines is named in another line; what is no definition counts as called."""
    found = _DEFINITION.match(side.lines[row])
    if found is None:
        return True
    name = re.compile(rb"\b%s\b" % re.escape(found[1]))
    return any(name.search(line) for at, line in enumerate(side.lines) if at != row)


def _gate(sides: Alignment, here: int) -> bytes | None:
    """Find an `#if` (or one of make) of upstream's own that is open at a row; what guards a whole header is none."""
    if _GATE_ENDS.search(b"".join(sides.ours.lines[here:])) is None:
        return None  # `# if it is so` is a comment in other languages
    ended = 0
    for row in range(here - 1, -1, -1):
        line = sides.ours.lines[row]
        if _GATE_ENDS.match(line):
            ended += 1
        elif _GATE.match(line):
            if ended:
                ended -= 1
            elif sides.ours_to_theirs[row] == NOWHERE and not _guards_header(sides.ours, row):
                return line.strip()
    return None


def _guards_header(side: Lines, row: int) -> bool:
    found = _INCLUDE_GUARD.match(side.lines[row])
    below = side.lines[row + 1] if row + 1 < len(side) else b""
    return found is not None and re.match(rb"\s*#\s*define\s+%s\b" % found[1], below) is not None


def _attribute(sides: Alignment, here: int) -> bytes | None:
    """Find a `#[cfg]` of upstream's own right above a row, or above what it stands in."""
    for start in (here, *owners(sides.ours, here)):
        row = start - 1
        while row >= 0 and _ATTRIBUTE.match(sides.ours.lines[row]):
            if _CFG.match(sides.ours.lines[row]) and sides.ours_to_theirs[row] == NOWHERE:
                return sides.ours.lines[row].strip()
            row -= 1
    return None


def _depth(line: bytes) -> int:
    blank = line[: len(line) - len(line.lstrip(b" \t"))]
    return blank.count(b" ") + _TAB * blank.count(b"\t")
