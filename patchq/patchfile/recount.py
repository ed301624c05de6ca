"""Hunk headers counted anew, for patches that were edited by hand (`patchq lint --fix`)."""

from __future__ import annotations

from io import BytesIO

from patchq.patchfile.hunks import HUNK_HEADER, HUNK_START
from patchq.patchfile.lines import bare

_LINE_STARTS = (b" ", b"+", b"-", b"\\ ")
_SIGNATURE = b"-- \n"


def recount(data: bytes) -> bytes:
    """Rewrite every `@@` line so that its counts are those of the lines below it, and later new starts follow.

    A hunk ends at the first line that cannot belong to one: another header, a mail signature, text. Old starts are
    taken as they are. Blank lines at the end of a file's last hunk are counted only when the old header counts them
    too, since they may as well stand between two patches. Data without hunks comes back as it is.
    """
    lines = BytesIO(data).readlines()
    out: list[bytes] = []
    at = shift = 0
    while at < len(lines):
        line = lines[at]
        if not line.startswith(HUNK_START):
            shift = 0  # another file begins somewhere in such lines
            out.append(line)
            at += 1
            continue
        end = _end_of_hunk(lines, at + 1)
        hunk = lines[at + 1 : end]
        blanks = 0 if end < len(lines) and lines[end].startswith(HUNK_START) else _trailing_blanks(hunk)
        header, delta = _header(line, hunk, blanks, shift)
        shift += delta
        out += [header, *hunk]
        at = end
    return b"".join(out)


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


def _header(line: bytes, body: list[bytes], blanks: int, shift: int) -> tuple[bytes, int]:
    """Write the header anew, with or without the last `blanks` lines; also say by how much later starts shift."""
    found = HUNK_HEADER.fullmatch(bare(line))
    if found is None:
        return line, 0
    old, new = _counts(body[: len(body) - blanks])
    stated = int(found[2] or 1), int(found[4] or 1)
    if any(stated == (old + extra, new + extra) for extra in range(1, blanks + 1)):
        old, new = stated
    old_start = int(found[1])
    first = old_start if old else old_start + 1
    new_start = first + shift if new else first + shift - 1
    ranges = _range(old_start, old), _range(max(new_start, 0), new)
    return b"@@ -%s +%s @@%s\n" % (*ranges, found[5]), new - old


def _counts(body: list[bytes]) -> tuple[int, int]:
    context = sum(line.startswith((b" ", b"\n")) for line in body)
    removed = sum(line.startswith(b"-") for line in body)
    return context + removed, context + sum(line.startswith(b"+") for line in body)


def _range(start: int, count: int) -> bytes:
    return b"%d" % start if count == 1 else b"%d,%d" % (start, count)
