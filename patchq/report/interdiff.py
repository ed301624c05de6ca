"""The difference between a patch and what it became, without line numbers, in the spirit of git-range-diff."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.model.change import BinaryBody, ChangeKind, LineKind, TextBody
from patchq.report.cells import decoded, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.change import FileChange, Hunk
    from patchq.model.patch import Patch

CONTEXT = 3
_FILE = b"## "  # no line of a hunk starts so: those have their sign first
# SequenceMatcher is quadratic at worst: 2,000 lines of which every other one differs take 0.5 s, 4,000 take 1.9 s.
MOST_LINES = 2000


class Mark(Enum):
    """What became of a line of the patch; the first column of an interdiff."""

    SAME = " "
    OLD_CONTEXT = "<"
    NEW_CONTEXT = ">"
    OLD_CONTENT = "-"
    NEW_CONTENT = "+"
    UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Compared:
    """One line of an interdiff: its mark, and the line of the patch with its own sign, as text for a screen."""

    mark: Mark
    text: str


class _Part(Enum):
    CONTEXT = "context"  # where the change is: path, section, lines around it
    CONTENT = "content"  # the change itself


@dataclass(frozen=True, slots=True)
class _Line:
    part: _Part
    data: bytes


def interdiff(before: Patch, after: Patch) -> str:
    """Write the comparison as text, one mark a line; empty when the patches say the same. See `compare`."""
    return "\n".join(line.mark.value + line.text for line in compare(before, after))


def compare(before: Patch, after: Patch) -> tuple[Compared, ...]:
    """Compare what two patches do: paths, modes, and the lines of the hunks, without line numbers and blob ids.

    A difference in what is added or removed is marked `-` (before) and `+` (after); one in the context around it `<`
    and `>`. Equal stretches are left out but for three lines. Where too much differs, one line says so.
    """
    old, new = tuple(_lines(before)), tuple(_lines(after))
    if old == new:
        return ()
    start, end = _common_ends(old, new)
    old_part, new_part = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(old_part), len(new_part)) > MOST_LINES:
        return (Compared(Mark.UNKNOWN, f"too long to compare: {len(old)} lines before, {len(new)} lines after"),)
    out: list[Compared] = []
    told: bytes | None = None
    for group in SequenceMatcher(None, old_part, new_part).get_grouped_opcodes(CONTEXT):
        first, last = start + group[0][1], start + group[-1][2]
        out += _lead(old, first, told)
        told = _head(old[:last])
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                out += [Compared(Mark.SAME, _shown(line)) for line in old_part[old_start:old_end]]
            else:
                out += [_marked(line, Mark.OLD_CONTEXT, Mark.OLD_CONTENT) for line in old_part[old_start:old_end]]
                out += [_marked(line, Mark.NEW_CONTEXT, Mark.NEW_CONTENT) for line in new_part[new_start:new_end]]
    return tuple(out)


def _common_ends(old: tuple[_Line, ...], new: tuple[_Line, ...]) -> tuple[int, int]:
    """Count the equal lines at both ends that need not be compared, less the context that is shown of them."""
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    rest = shorter - start
    end = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
    return max(0, start - CONTEXT), max(0, end - CONTEXT)


def _lead(old: tuple[_Line, ...], first: int, told: bytes | None) -> list[Compared]:
    """Say which file the line `first` belongs to, or three dots where that was said before."""
    head = _head(old[:first])
    if not head or any(line.data.startswith(_FILE) for line in old[first : first + 1]):
        return []
    return [Compared(Mark.SAME, "..." if head == told else visible(decoded(head)))]


def _head(lines: tuple[_Line, ...]) -> bytes:
    return next((line.data for line in reversed(lines) if line.data.startswith(_FILE)), b"")


def same_change(lines: tuple[Compared, ...]) -> bool:
    """Whether only context differs: the patch still adds and removes the same lines."""
    return {line.mark for line in lines} <= {Mark.SAME, Mark.OLD_CONTEXT, Mark.NEW_CONTEXT}


def _marked(line: _Line, context: Mark, content: Mark) -> Compared:
    match line.part:
        case _Part.CONTEXT:
            return Compared(context, _shown(line))
        case _Part.CONTENT:
            return Compared(content, _shown(line))
        case _:
            assert_never(line.part)


def _shown(line: _Line) -> str:
    return visible(decoded(line.data).replace("\t", "    "))


def _lines(patch: Patch) -> Iterator[_Line]:
    for change in patch.changes:
        yield _Line(_Part.CONTEXT, _FILE + change.path)
        yield from _headers(change)
        match change.body:
            case TextBody(hunks=hunks):
                for hunk in hunks:
                    yield _Line(_Part.CONTEXT, b"@@ " + hunk.section)
                    yield from _hunk_lines(hunk)
            case BinaryBody(forward=forward):
                digest = hashlib.sha256(forward.data).hexdigest().encode()
                yield _Line(_Part.CONTENT, b"binary " + forward.method.value.encode() + b", sha256 " + digest)
            case _:
                assert_never(change.body)


def _headers(change: FileChange) -> Iterator[_Line]:
    if change.kind is not ChangeKind.MODIFY:
        source = change.old_path if change.old_path != change.path else None
        yield _Line(_Part.CONTENT, change.kind.value.encode() + (b" from " + source if source is not None else b""))
    if change.old_mode is not change.new_mode:
        modes = [mode.value if mode is not None else "none" for mode in (change.old_mode, change.new_mode)]
        yield _Line(_Part.CONTENT, f"mode {modes[0]} -> {modes[1]}".encode())


def _hunk_lines(hunk: Hunk) -> Iterator[_Line]:
    for line in hunk.lines:
        part = _Part.CONTEXT if line.kind is LineKind.CONTEXT else _Part.CONTENT
        yield _Line(part, line.kind.value + line.text.removesuffix(b"\n"))
        if not line.text.endswith(b"\n"):
            yield _Line(part, b"\\ no newline at the end")
