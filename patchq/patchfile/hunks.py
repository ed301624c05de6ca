"""Hunks: the `@@` header, the lines it promises, and the refusal of every hunk that does not keep the promise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.model.change import Hunk, HunkLine, LineKind
from patchq.patchfile.lines import END, bare

if TYPE_CHECKING:
    from patchq.errors import PatchFormatError
    from patchq.patchfile.lines import Lines

HUNK_START = b"@@ -"
RECOUNT_HINT = "if the patch was edited by hand, patchq lint --fix FILE counts anew; or make it again with git diff"

HUNK_HEADER = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)", re.DOTALL)

# First byte of a line, and how many lines it stands for on the old and on the new side. Some editors trim the blank of
# a blank context line; git apply takes that too.
_SHAPES = {
    b" ": (LineKind.CONTEXT, 1, 1),
    b"\n": (LineKind.CONTEXT, 1, 1),
    b"-": (LineKind.REMOVED, 1, 0),
    b"+": (LineKind.ADDED, 0, 1),
}
# `\ No newline at end of file`, in the language of whoever made the patch: never shorter, says git apply.
_SHORTEST_MARKER = 12


def read_hunks(lines: Lines) -> tuple[Hunk, ...]:
    """Read all hunks under the cursor, which is left on the first line behind them.

    PatchFormatError names file, line and hunk (counted from 1) when a count is wrong, hunks overlap or go backwards,
    or lines follow that look like more of the last hunk: `git apply` drops such lines without a word.
    """
    hunks: list[Hunk] = []
    free_from = 0
    while lines.next.startswith(HUNK_START):
        hunk, free_from = _read_hunk(lines, len(hunks) + 1, free_from)
        hunks.append(hunk)
    if hunks:
        _refuse_surplus(lines, len(hunks))
    return tuple(hunks)


def makes_file(hunks: tuple[Hunk, ...]) -> bool:
    """Tell whether these hunks can be the whole of a new file."""
    return len(hunks) == 1 and hunks[0].old_start == 0 and not hunks[0].old_lines


def empties_file(hunks: tuple[Hunk, ...]) -> bool:
    """Tell whether these hunks can be the whole of a deleted file."""
    return len(hunks) == 1 and hunks[0].new_start == 0 and not hunks[0].new_lines


def _read_hunk(lines: Lines, number: int, free_from: int) -> tuple[Hunk, int]:
    """Read one hunk that may not reach above old line `free_from`; also give the first old line behind it."""
    header_at = lines.at
    header = HUNK_HEADER.fullmatch(bare(lines.next))
    if header is None:
        raise lines.error("malformed hunk header", hunk=number, hint="it reads `@@ -START,COUNT +START,COUNT @@`")
    old_start, new_start = int(header[1]), int(header[3])
    old = int(header[2]) if header[2] is not None else 1
    new = int(header[4]) if header[4] is not None else 1
    if (not old_start and old) or (not new_start and new):
        raise lines.error("line numbers of a hunk count from 1", at=header_at, hunk=number)
    first = old_start if old else old_start + 1
    if first < free_from:
        raise lines.error("the hunk overlaps the one before it, or stands before it in the file", hunk=number)
    lines.at += 1
    body = _read_body(lines, number, old, new)
    if len(body) == old == new:
        raise lines.error("the hunk changes nothing", at=header_at, hunk=number)
    section = header[5].removeprefix(b" ")
    return Hunk(old_start=old_start, new_start=new_start, lines=body, section=section), first + old


def _read_body(lines: Lines, number: int, old: int, new: int) -> tuple[HunkLine, ...]:
    header_at = lines.at - 1
    body: list[HunkLine] = []
    marked = False
    every, shapes = lines.lines, _SHAPES  # this loop is where parsing spends its time
    while old or new:
        line = every[lines.at]
        shape = shapes.get(line[:1])
        if shape is not None:
            kind, olds, news = shape
            old -= olds
            new -= news
            body.append(HunkLine(kind, line[1:] or b"\n"))
        elif _is_marker(line):
            _drop_newline(lines, body, number)
            marked = True
        else:
            raise _too_short(lines, header_at, number, old, new)
        if old < 0 or new < 0:
            raise _too_long(lines, header_at, number)
        lines.at += 1
    if _is_marker(lines.next):
        _drop_newline(lines, body, number)
        marked = True
        lines.at += 1
    if marked:
        _check_ends(lines, body, number)
    if lines.next is END and not lines.lines[lines.at - 1].endswith(b"\n"):
        hint = "add the newline at the end of the patch, if nothing else is missing"
        raise lines.error("the patch ends in the middle of a line", at=lines.at - 1, hunk=number, hint=hint)
    return tuple(body)


def _too_short(lines: Lines, header_at: int, number: int, old: int, new: int) -> PatchFormatError:
    missing = f"{old} old and {new} new lines that its header promises are missing"
    if lines.next is END:
        return lines.error(f"the patch ends inside a hunk: {missing}", at=header_at, hunk=number, hint=RECOUNT_HINT)
    return lines.error(f"the hunk is too short: {missing}", at=header_at, hunk=number, hint=RECOUNT_HINT)


def _too_long(lines: Lines, at: int, number: int) -> PatchFormatError:
    return lines.error("the hunk has more lines than its header says", at=at, hunk=number, hint=RECOUNT_HINT)


def _is_marker(line: bytes) -> bool:
    return line.startswith(b"\\ ") and len(line) >= _SHORTEST_MARKER


def _drop_newline(lines: Lines, body: list[HunkLine], number: int) -> None:
    if not body or not body[-1].text.endswith(b"\n"):
        raise lines.error("a no-newline marker without a line before it", hunk=number)
    body[-1] = HunkLine(body[-1].kind, body[-1].text[:-1])


def _check_ends(lines: Lines, body: list[HunkLine], number: int) -> None:
    """Refuse a line without newline that is not the last one of its side: no file can look like that."""
    for absent in (LineKind.ADDED, LineKind.REMOVED):
        side = [line.text for line in body if line.kind is not absent]
        if not all(text.endswith(b"\n") for text in side[:-1]):
            raise lines.error("lines follow behind the end of the file", at=lines.at - 1, hunk=number)


def _refuse_surplus(lines: Lines, number: int) -> None:
    at = lines.at
    while lines.lines[at] == b"\n":
        at += 1
    line = lines.lines[at]
    after = lines.lines[at + 1] if line else END
    if not line.startswith(_LINE_STARTS) or (line in _SIGNATURES and not after.startswith(_LINE_STARTS)):
        return
    if line.startswith(b"--- ") and after.startswith(b"+++ "):
        return
    raise _too_long(lines, at, number)


_LINE_STARTS = (b" ", b"+", b"-", b"\\ ")
_SIGNATURES = frozenset({b"-- \n", b"--\n"})  # what git-format-patch and mail programs put below a diff
