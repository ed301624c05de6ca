"""Three texts become one: chunks that say which side changed what, the merged text, and conflict markers.

The rules are those of diff3 as `git merge-file` applies them (S. Khanna, K. Kunal, B. C. Pierce, "A formal
investigation of diff3", FSTTCS 2007): changes of both sides clash when no common line stands between them, the same
change on both sides counts once, and equal lines at the ends of a clash are taken out of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.text.diff import Region, diff
from patchq.text.lines import as_lines, common_prefix
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive lines of one text; `start` counts from 0."""

    start: int
    lines: tuple[bytes, ...]

    @property
    def end(self) -> int:
        """The row after the last line."""
        return self.start + len(self.lines)

    def cut(self, start: int, end: int) -> Part:
        """Keep the lines `start:end`, counted within this part."""
        return Part(self.start + start, self.lines[start:end])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    base: Part
    theirs: Part
    ours: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Same(_Sides):
    """Lines that nobody changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlyTheirs(_Sides):
    """Lines that only theirs changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlyOurs(_Sides):
    """Lines that only ours changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Both(_Sides):
    """Lines that both sides changed to the same; beside a clash, equal lines that were taken out of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash(_Sides):
    """Lines that both sides changed, each in its own way."""


Chunk = Same | OnlyTheirs | OnlyOurs | Both | Clash


def merge3(
    base: bytes | Sequence[bytes], theirs: bytes | Sequence[bytes], ours: bytes | Sequence[bytes]
) -> tuple[Chunk, ...]:
    """Cut three texts into chunks, in order; the parts of each side, joined, give back that side."""
    base, theirs, ours = as_lines(base), as_lines(theirs), as_lines(ours)
    cutter = _Cutter(base, theirs, ours)
    chunks: list[Chunk] = []
    for cluster in _clusters(diff(base, theirs, how=Slide.LOW), diff(base, ours, how=Slide.LOW)):
        chunks += cutter.same(cluster.start)
        chunks += cutter.changed(cluster)
    chunks += cutter.same(len(base))
    return tuple(chunks)


class _Side(Enum):
    THEIRS = "theirs"
    OURS = "ours"


@dataclass(slots=True)
class _Cluster:
    """Changes of either side that overlap or touch; `start:end` are base rows."""

    start: int
    end: int
    theirs: list[Region] = field(default_factory=list)
    ours: list[Region] = field(default_factory=list)


def _clusters(by_theirs: Iterable[Region], by_ours: Iterable[Region]) -> list[_Cluster]:
    clusters: list[_Cluster] = []
    changes = [*((region, _Side.THEIRS) for region in by_theirs), *((region, _Side.OURS) for region in by_ours)]
    for region, side in sorted(changes, key=lambda change: change[0].old_start):
        if not clusters or clusters[-1].end < region.old_start:
            clusters.append(_Cluster(region.old_start, region.old_end))
        cluster = clusters[-1]
        cluster.end = max(cluster.end, region.old_end)
        (cluster.theirs if side is _Side.THEIRS else cluster.ours).append(region)
    return clusters


class _Cutter:
    """Three texts, cut from the top at places that belong together."""

    def __init__(self, *texts: Sequence[bytes]) -> None:
        self._texts = texts
        self._rows = [0, 0, 0]

    def same(self, until: int) -> Iterator[Same]:
        """Cut before base row `until`, up to which no side has changes; nothing where that is here already."""
        count = until - self._rows[0]
        if count:
            base, theirs, ours = self._take(count, count, count)
            yield Same(base=base, theirs=theirs, ours=ours)

    def changed(self, cluster: _Cluster) -> Iterator[Chunk]:
        """Cut behind `cluster`."""
        count = cluster.end - cluster.start
        base, theirs, ours = self._take(count, count + _growth(cluster.theirs), count + _growth(cluster.ours))
        if not cluster.ours:
            yield OnlyTheirs(base=base, theirs=theirs, ours=ours)
        elif not cluster.theirs:
            yield OnlyOurs(base=base, theirs=theirs, ours=ours)
        elif theirs.lines == ours.lines:
            yield Both(base=base, theirs=theirs, ours=ours)
        else:
            yield from _clash(base, theirs, ours)

    def _take(self, *counts: int) -> list[Part]:
        parts = []
        for side, (text, count) in enumerate(zip(self._texts, counts, strict=True)):
            row = self._rows[side]
            parts.append(Part(row, tuple(text[row : row + count])))
            self._rows[side] += count
        return parts


def _growth(regions: Iterable[Region]) -> int:
    return sum(region.new_end - region.new_start - region.old_end + region.old_start for region in regions)


def _clash(base: Part, theirs: Part, ours: Part) -> Iterator[Both | Clash]:
    """Take the lines out that both sides begin or end with; all of the base stays with the clash."""
    head = common_prefix(theirs.lines, ours.lines)
    tail = common_prefix(theirs.lines[head:][::-1], ours.lines[head:][::-1])
    their_end, our_end = len(theirs.lines) - tail, len(ours.lines) - tail
    if head:
        yield Both(base=base.cut(0, 0), theirs=theirs.cut(0, head), ours=ours.cut(0, head))
    yield Clash(base=base, theirs=theirs.cut(head, their_end), ours=ours.cut(head, our_end))
    if tail:
        after = base.cut(len(base.lines), len(base.lines))
        yield Both(base=after, theirs=theirs.cut(their_end, len(theirs.lines)), ours=ours.cut(our_end, len(ours.lines)))


def merged(chunks: Iterable[Chunk]) -> bytes | None:
    """Join the chunks to one text; None if any of them is a clash."""
    lines: list[bytes] = []
    for chunk in chunks:
        match chunk:
            case OnlyTheirs():
                lines += chunk.theirs.lines
            case Same() | OnlyOurs() | Both():
                lines += chunk.ours.lines
            case Clash():
                return None
            case _:
                assert_never(chunk)
    return b"".join(lines)
