"""Unmerged chunks as text with conflict markers, which editors and git understand."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from patchq.text.lines import LineEnding, line_ending
from patchq.text.merge3 import Both, Clash, OnlyOurs, OnlyTheirs, Same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from patchq.text.merge3 import Chunk

_MARKER = re.compile(rb"(<+|\|+|=+|>+)(?=\s|\Z)")
_LEAST = 7


class ConflictStyle(Enum):
    """What stands between the markers."""

    MERGE = "merge"  # ours and theirs
    DIFF3 = "diff3"  # ours, base and theirs


def render_conflict(
    chunks: Sequence[Chunk], *, base_label: str, ours_label: str, theirs_label: str, style: ConflictStyle
) -> bytes:
    """Write the merge with each clash between markers: ours, for DIFF3 the base, theirs; labels stand on the markers.

    Marker lines end as the lines of ours do. Markers have seven characters as in git, more where a line of the text
    could be taken for such a marker. A side whose last line has no end gets one.
    """
    marks = _Marks(chunks)
    out: list[bytes] = []
    for chunk in chunks:
        match chunk:
            case OnlyTheirs():
                out += chunk.theirs.lines
            case Same() | OnlyOurs() | Both():
                out += chunk.ours.lines
            case Clash():
                out += marks.block(b"<", ours_label, chunk.ours.lines)
                if style is ConflictStyle.DIFF3:
                    out += marks.block(b"|", base_label, chunk.base.lines)
                out += marks.block(b"=", "", chunk.theirs.lines)
                out.append(marks.line(b">", theirs_label))
    return b"".join(out)


class _Marks:
    def __init__(self, chunks: Sequence[Chunk]) -> None:
        parts = [part for chunk in chunks for part in (chunk.base, chunk.theirs, chunk.ours)]
        taken = {len(found[1]) for part in parts for line in part.lines if (found := _MARKER.match(line))}
        self._width = next(width for width in range(_LEAST, _LEAST + len(taken) + 1) if width not in taken)
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
