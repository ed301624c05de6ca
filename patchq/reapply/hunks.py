"""Hunks applied, reversed and renumbered exactly as they are stated: at these lines, with this context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, PatchFormatError
from patchq.model.change import HunkLine, LineKind
from patchq.text.lines import common_prefix, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.errors import Where
    from patchq.model.change import Hunk

_SHOWN = 60  # characters of a line in a message
_REVERSED = {
    LineKind.CONTEXT: LineKind.CONTEXT,
    LineKind.REMOVED: LineKind.ADDED,
    LineKind.ADDED: LineKind.REMOVED,
}


def apply_hunks(hunks: Sequence[Hunk], data: bytes, *, where: Where) -> bytes:
    """Return `data` changed by `hunks`, each of them at the old lines that it states.

    ApplyError names the hunk and the first line that differs; PatchFormatError is raised for hunks that overlap, go
    backwards or would leave a line without an end in the middle. Stated new lines are not looked at: people who drop
    a hunk by hand do not renumber the others.
    """
    lines = split_lines(data)
    out: list[bytes] = []
    done = 0
    for number, hunk in enumerate(hunks, 1):
        here = replace(where, hunk=number)
        start = first_row(hunk)
        if start < done:
            raise PatchFormatError("the hunk overlaps the one before it, or stands before it in the file", where=here)
        end = start + len(hunk.old_lines)
        _check_lines(hunk.old_lines, lines[start:end], start, here)
        _check_edges(hunk, start, len(lines) - end, here)
        out += lines[done:start]
        out += hunk.new_lines
        done = end
    out += lines[done:]
    return _joined(out, where)


def _joined(lines: Sequence[bytes], where: Where) -> bytes:
    for row, line in enumerate(lines[:-1], 1):
        if not line.endswith(b"\n"):
            raise PatchFormatError(f"line {row} of the result has no line end, but is not the last one", where=where)
    return b"".join(lines)


def _check_lines(expected: Sequence[bytes], found: Sequence[bytes], start: int, where: Where) -> None:
    row = common_prefix(expected, found)
    if row < len(expected):
        raise ApplyError(f"line {start + row + 1} {_difference(expected[row], found[row : row + 1])}", where=where)


def _difference(expected: bytes, found: Sequence[bytes]) -> str:
    """Say what should stand there and what does, from a little before the first byte that differs."""
    if not found:
        return f"should be {_show(expected, 0)}, but the file ends before it"
    at = common_prefix(expected, found[0])
    start = max(0, at - _SHOWN // 2) if at > _SHOWN // 2 else 0
    return f"should be {_show(expected, start)}, but is {_show(found[0], start)}"


def _show(line: bytes, start: int) -> str:
    text = line[start:].decode("utf-8", "backslashreplace")
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return repr("..." + cut if start else cut)


def _check_edges(hunk: Hunk, before: int, after: int, where: Where) -> None:
    """Refuse a hunk that was made at an edge of the file, and now has `before` or `after` lines beyond that edge."""
    opens, closes = bare_ends(hunk)
    if opens == closes:
        return  # context on both sides; or none at all (`diff -U0`), where the line number is all there is
    if opens and before:
        raise ApplyError(f"the hunk was made at the start of the file, but {before} lines stand before it", where=where)
    if closes and after:
        raise ApplyError(f"the hunk was made at the end of the file, but {after} lines follow it", where=where)


def bare_ends(hunk: Hunk) -> tuple[bool, bool]:
    """Tell whether `hunk` begins, and whether it ends, with a change: at an edge of the file if it has context."""
    return hunk.lines[0].kind is not LineKind.CONTEXT, hunk.lines[-1].kind is not LineKind.CONTEXT


def first_row(hunk: Hunk) -> int:
    """Return the row, from 0, of the first old line of `hunk`, or the one that it adds lines before."""
    return hunk.old_start - 1 if hunk.old_lines else hunk.old_start


def change_rows(hunk: Hunk) -> Iterator[int]:
    """Yield the new rows, from 0, at which the runs of changed lines in `hunk` begin."""
    row = hunk.new_start - 1 if hunk.new_lines else hunk.new_start
    before = LineKind.CONTEXT
    for line in hunk.lines:
        if line.kind is not LineKind.CONTEXT and before is LineKind.CONTEXT:
            yield row
        row += line.kind is not LineKind.REMOVED
        before = line.kind


def at_rows(hunks: Sequence[Hunk], rows: Sequence[int]) -> tuple[Hunk, ...]:
    """Renumber `hunks` so that their old lines begin at `rows` (from 0, rising) and the new ones follow from that."""
    placed = []
    growth = 0
    for hunk, row in zip(hunks, rows, strict=True):
        old, new = len(hunk.old_lines), len(hunk.new_lines)
        placed.append(replace(hunk, old_start=row + (old > 0), new_start=row + growth + (new > 0)))
        growth += new - old
    return tuple(placed)


def reverse_hunks(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """Return hunks that undo `hunks`; their numbers follow from the stated old lines."""
    forward = at_rows(hunks, [first_row(hunk) for hunk in hunks])
    return tuple(
        replace(hunk, old_start=hunk.new_start, new_start=hunk.old_start, lines=tuple(_reversed_lines(hunk.lines)))
        for hunk in forward
    )


def _reversed_lines(lines: Sequence[HunkLine]) -> Iterator[HunkLine]:
    """Swap removed and added lines, and keep removed ones first in each run, as diff writes them."""
    held: list[HunkLine] = []
    for line in lines:
        swapped = HunkLine(_REVERSED[line.kind], line.text)
        if swapped.kind is LineKind.ADDED:
            held.append(swapped)
            continue
        if swapped.kind is LineKind.CONTEXT:
            yield from held
            held = []
        yield swapped
    yield from held
