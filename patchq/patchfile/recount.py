"""Hunk headers counted anew and trimmed blanks put back, for patches that were edited by hand (`patchq lint --fix`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from io import BytesIO

from patchq.patchfile.hunks import HUNK_HEADER, HUNK_START
from patchq.patchfile.lines import bare
from patchq.patchfile.mail import split_mail

_LINE_STARTS = (b" ", b"+", b"-", b"\\ ")
_SIGNATURE = b"-- \n"
_TRIMMED = (b"\n", b"\r\n")


class Doubt(Enum):
    """Why the lines of a hunk may not be all that it had, or more."""

    CUT_OFF = "cut off"  # the patch ends in it, with fewer lines than promised
    BLANKS = "blanks"  # blank lines follow, which may belong to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Miscount:
    """A hunk whose header is wrong: its line in the file and its number in its file's diff, both from 1.

    Where there is a `doubt`, counting anew would be a guess.
    """

    line: int
    hunk: int
    stated: tuple[int, int]
    counted: tuple[int, int]
    doubt: Doubt | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmed:
    """A hunk with context lines that lost their blank: the first of them, the hunk's number, and how many they are."""

    line: int
    hunk: int
    count: int


def recount(data: bytes) -> tuple[bytes, tuple[Miscount, ...]]:
    """Rewrite every `@@` line so that its counts are those of the lines below it, and later new starts follow.

    A hunk ends at the first line that cannot belong to one: another header, a mail signature, text. Old starts are
    taken as they are. Blank lines at the end of a file's last hunk are counted only when the old header counts them
    too, since they may as well stand between two patches. The message is never looked at. Returned are the bytes and
    the hunks whose counts were wrong; data without any comes back as it is.
    """
    head, rest = split_mail(data)
    above = head.count(b"\n")
    lines = BytesIO(rest).readlines()
    out: list[bytes] = [head]
    wrong: list[Miscount] = []
    at = shift = number = 0
    while at < len(lines):
        line = lines[at]
        found = HUNK_HEADER.fullmatch(bare(line))
        if found is None:
            shift = number = 0  # another file begins somewhere in such lines
            out.append(line)
            at += 1
            continue
        number += 1
        end = _end_of_hunk(lines, at + 1)
        hunk = lines[at + 1 : end]
        blanks = 0 if end < len(lines) and lines[end].startswith(HUNK_START) else _trailing_blanks(hunk)
        stated = tuple(1 if group is None else int(group) for group in (found[2], found[4]))
        counted = _counts(hunk[: len(hunk) - blanks])
        if any(stated == (counted[0] + extra, counted[1] + extra) for extra in range(1, blanks + 1)):
            counted = stated[0], stated[1]
        if stated != counted:
            last = hunk[len(hunk) - blanks - 1] if len(hunk) > blanks else b""
            short = counted[0] < stated[0] or (counted[1] < stated[1] and not last.startswith(b" "))
            doubt = Doubt.BLANKS if blanks else Doubt.CUT_OFF if short and end == len(lines) else None
            where = Miscount(
                line=above + at + 1, hunk=number, stated=(stated[0], stated[1]), counted=counted, doubt=doubt
            )
            wrong.append(where)
        out += [_header(found[1], found[5], counted, shift), *hunk]
        shift += counted[1] - counted[0]
        at = end
    return (b"".join(out), tuple(wrong)) if wrong else (data, ())


def restore_blanks(data: bytes) -> tuple[bytes, tuple[Trimmed, ...]]:
    """Put back the blank that editors take from blank context lines; in a hunk such a line can be nothing else.

    Hunks are followed by their counts, so these have to be right: where one is not, nothing is changed.
    """
    head, rest = split_mail(data)
    above = head.count(b"\n")
    lines = BytesIO(rest).readlines()
    found: list[Trimmed] = []
    at = number = 0
    while at < len(lines):
        header = HUNK_HEADER.fullmatch(bare(lines[at]))
        at += 1
        if header is None:
            number = 0
            continue
        number += 1
        old, new = (1 if group is None else int(group) for group in (header[2], header[4]))
        trimmed: list[int] = []
        while (old > 0 or new > 0) and at < len(lines):
            line = lines[at]
            if line in _TRIMMED:
                trimmed.append(at)
            elif not line.startswith(_LINE_STARTS):
                return data, ()
            old -= line in _TRIMMED or line.startswith((b" ", b"-"))
            new -= line in _TRIMMED or line.startswith((b" ", b"+"))
            at += 1
        if old or new:
            return data, ()
        if trimmed:
            found.append(Trimmed(line=above + trimmed[0] + 1, hunk=number, count=len(trimmed)))
            for index in trimmed:
                lines[index] = b" " + lines[index]
        if at < len(lines) and lines[at].startswith(b"\\ "):
            at += 1
    return (head + b"".join(lines), tuple(found)) if found else (data, ())


def _end_of_hunk(lines: list[bytes], at: int) -> int:
    while at < len(lines):
        line = lines[at]
        if line != b"\n" and not line.startswith(_LINE_STARTS):
            break
        if line == _SIGNATURE or _is_file_header(lines[at : at + 3]):
            break
        at += 1
    return at


def _is_file_header(three: list[bytes]) -> bool:
    """Tell a file header from removed and added lines that begin with dashes and pluses: a hunk follows it."""
    starts = (b"--- ", b"+++ ", HUNK_START)
    return len(three) == len(starts) and all(map(bytes.startswith, three, starts))


def _trailing_blanks(hunk: list[bytes]) -> int:
    blanks = 0
    while blanks < len(hunk) and hunk[-1 - blanks] == b"\n":
        blanks += 1
    return blanks


def _header(old_start: bytes, section: bytes, counts: tuple[int, int], shift: int) -> bytes:
    old, new = counts
    start = int(old_start)
    first = start if old else start + 1
    new_start = first + shift if new else first + shift - 1
    return b"@@ -%s +%s @@%s\n" % (_range(start, old), _range(max(new_start, 0), new), section)


def _counts(body: list[bytes]) -> tuple[int, int]:
    context = sum(line.startswith((b" ", b"\n")) for line in body)
    removed = sum(line.startswith(b"-") for line in body)
    return context + removed, context + sum(line.startswith(b"+") for line in body)


def _range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)
