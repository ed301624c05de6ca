"""Unmerged chunks as text with conflict markers, which editors and git understand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.text.lines import LineEnding, line_ending
from patchq.text.merge3 import Both, Clash, OnlyOurs, OnlyTheirs, Part, Same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from patchq.text.merge3 import Chunk

_MARKER = re.compile(rb"(<+|\|+|=+|>+)(?=\s|\Z)")
LEAST = 7


class ConflictStyle(Enum):
    """What stands between the markers."""

    MERGE = "merge"  # ours and theirs
    DIFF3 = "diff3"  # ours, base and theirs


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What stands on the markers, in words of the user."""

    ours: str
    base: str
    theirs: str


def render_conflict(
    chunks: Sequence[Chunk], labels: Labels, *, style: ConflictStyle = ConflictStyle.DIFF3, size: int | None = None
) -> bytes:
    """Write the merge with each clash between markers: ours, for DIFF3 the base, theirs; labels stand on the markers.

    Marker lines end as the lines of ours do. Markers have `size` characters; where that is None, seven as in git, and
    more where a line of the text could be taken for such a marker. A side whose last line has no end gets one.
    """
    marks = _Marks(chunks, size)
    out: list[bytes] = []
    for chunk in chunks:
        match chunk:
            case OnlyTheirs():
                out += chunk.theirs.lines
            case Same() | OnlyOurs() | Both():
                out += chunk.ours.lines
            case Clash():
                out += marks.block(b"<", labels.ours, chunk.ours.lines)
                if style is ConflictStyle.DIFF3:
                    out += marks.block(b"|", labels.base, chunk.base.lines)
                out += marks.block(b"=", "", chunk.theirs.lines)
                out.append(marks.line(b">", labels.theirs))
            case _:
                assert_never(chunk)
    return b"".join(out)


def opened(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Leave no change of theirs to the merge: each becomes a clash with what ours has in its place.

    Where ours has every change of theirs already, those that both made are clashes, too, so that one is always there
    as long as theirs changes anything.
    """
    clashing = tuple(
        Clash(base=chunk.base, theirs=chunk.theirs, ours=chunk.ours) if isinstance(chunk, OnlyTheirs) else chunk
        for chunk in chunks
    )
    if any(isinstance(chunk, Clash) for chunk in clashing):
        return clashing
    return tuple(
        Clash(base=chunk.base, theirs=chunk.theirs, ours=chunk.ours) if isinstance(chunk, Both) else chunk
        for chunk in clashing
    )


class _Marks:
    def __init__(self, chunks: Sequence[Chunk], size: int | None) -> None:
        self._width = _free_width(chunks) if size is None else size
        ours = b"".join(line for chunk in chunks for line in chunk.ours.lines)
        self._end = (line_ending(ours) or LineEnding.LF).value

    def block(self, mark: bytes, label: str, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Give a marker and the lines under it, all of them ended."""
        yield self.line(mark, label)
        for line in lines:
            yield line if line.endswith(b"\n") else line + self._end

    def line(self, mark: bytes, label: str) -> bytes:
        """Give one marker line; a label of several lines becomes one."""
        words = " ".join(label.split()).encode("utf-8", "surrogateescape")
        return mark * self._width + (b" " + words if words else b"") + self._end


def _free_width(chunks: Sequence[Chunk]) -> int:
    """Return the least width that no line of the texts could be taken for."""
    parts: list[Part] = [part for chunk in chunks for part in (chunk.base, chunk.theirs, chunk.ours)]
    taken = {len(found[1]) for part in parts for line in part.lines if (found := _MARKER.match(line))}
    return next(width for width in range(LEAST, LEAST + len(taken) + 1) if width not in taken)
