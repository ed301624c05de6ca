"""Carry a patch's changes of a sequence of lines into one that was re-indented or changed beside them.

A merge by lines refuses two changes that touch, and takes a line at another indentation for another line. Here every
changed region of the patch finds its own lines again, whatever their indentation, and needs no more than one unchanged
neighbour, so that edits of adjacent lines both stand. What has lost its lines is refused as ever.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

from patchq.text.diff import Region, diff
from patchq.text.margins import Line, Margin, margin, shifted
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


T = TypeVar("T")


class Footing(Enum):
    """What a carried region stands on, best first."""

    BOTH = "between its neighbours"
    ONE = "beside the neighbour that is left"
    ALONE = "by its own text, which stands once; the lines around it are others"
    TWINS = "between lines that stand more than once"
    SHARED = "where upstream added lines too; order chosen"


@dataclass(frozen=True, slots=True)
class Splice(Generic[T]):
    """Rows `start:end` of ours become `lines`; their `indent` is where they stand there now.

    `rivals` are rows that upstream has added at the same place.
    """

    start: int
    end: int
    lines: tuple[Line[T], ...]
    footing: Footing
    reindented: bool
    rivals: range = range(0)


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Where every region of the patch goes, in order; `absorbed` counts those that ours has already."""

    splices: tuple[Splice[T], ...]
    absorbed: int


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a region has no place; a phrase for people."""

    reason: str


def carry_lines(
    base: Sequence[Line[T]],
    theirs: Sequence[Line[T]],
    ours: Sequence[Line[T]],
    merge: Callable[[Line[T], Line[T], Line[T]], Line[T] | None],
) -> Found[T] | Unfit:
    """Place base -> theirs in ours, line by line.

    `merge` carries a change into a line that ours changed too; None where it cannot.
    """
    if [line.exact for line in ours] == [line.exact for line in theirs]:
        return Found((), 1)
    passage = _Passage(base, theirs, ours, merge)
    splices: list[Splice[T]] = []
    absorbed = at = 0
    for region in diff([line.exact for line in base], [line.exact for line in theirs]):
        answer = passage.place(region)
        match answer:
            case None:
                absorbed += 1
            case Splice(start=start, end=end):
                if start < at:
                    return Unfit("upstream has what the patch changes in another order")
                at = end
                splices.append(answer)
            case Unfit():
                return answer
    return Found(tuple(splices), absorbed)


def spliced(ours: Sequence[bytes], found: Found[T], write: Callable[[Line[T]], bytes]) -> Iterator[bytes]:
    """Yield the merged lines: the texts of ours with the splices in, whose lines `write` gives."""
    at = 0
    for splice in found.splices:
        yield from ours[at : splice.start]
        yield from map(write, splice.lines)
        at = splice.end
    yield from ours[at:]


class _Passage(Generic[T]):
    def __init__(
        self,
        base: Sequence[Line[T]],
        theirs: Sequence[Line[T]],
        ours: Sequence[Line[T]],
        merge: Callable[[Line[T], Line[T], Line[T]], Line[T] | None],
    ) -> None:
        self.base, self.theirs, self.ours, self.merge = base, theirs, ours, merge
        self.image = dict(_kept([line.key for line in base], [line.key for line in ours]))
        self.stock = Counter(line.key for line in base), Counter(line.key for line in ours)
        self.wanted = Counter(line.key for line in theirs)
        self.known = set(self.image.values())
        self.where = {line.key: at for at, line in enumerate(ours)}
        old = {line.key for line in base}
        self.added = {line.key for line in theirs if not line.blank} - old

    def place(self, region: Region) -> Splice[T] | Unfit | None:
        """Place one region of base -> theirs; None where ours has it already."""
        new = self.theirs[region.new_start : region.new_end]
        low, high = self._gap(region)
        if any(not line.blank for line in new) and len(new) == high - low - 1 and self._stand_at(low + 1, region):
            return None
        if not self._replaced(region):
            return self._inserted(region, low, high)
        rows = [self.image.get(row) for row in _old(region)]
        first = rows[0]
        if first is None or rows != list(range(first, first + len(rows))):
            answer = self._changed(region, low, high)
            return self._alone(region) or answer if isinstance(answer, Unfit) else answer
        if len(new) >= len(rows) and self._stand_at(first, region):
            return None
        stayed = all(self.stock[0][line.key] == self.stock[1][line.key] for line in self._replaced(region))
        if not stayed and not self._certain(region):
            return Unfit("what the patch changes stands more or less often upstream than before")
        return self._splice(first, first + len(rows), new, Footing.BOTH, region)

    def _alone(self, region: Region) -> Splice[T] | None:
        """Place a region by its old lines, all there in one run, one of them at least the only one of its kind."""
        lines = [self.base[row] for row in _old(region)]
        single = [line.key for line in lines if not line.blank and self._single(line)]
        if not single:
            return None
        run = [line.key for line in lines]
        at = self.where[single[0]] - run.index(single[0])
        here = [line.key for line in self.ours[max(at, 0) : at + len(run)]]
        new = self.theirs[region.new_start : region.new_end]
        if here != run or set(range(at, at + len(run))) & self.known:
            return None
        own = lines[run.index(single[0])].indent, self.ours[self.where[single[0]]].indent
        fresh = shifted(new, {}, own)
        return Splice(at, at + len(run), fresh, Footing.ALONE, reindented=own[0] != own[1])

    def _single(self, line: Line[T]) -> bool:
        return line.telling and self.stock[0][line.key] == self.stock[1][line.key] == 1

    def _replaced(self, region: Region) -> list[Line[T]]:
        """List the lines of base that a region replaces, blank ones apart."""
        return [self.base[row] for row in _old(region) if not self.base[row].blank]

    def _certain(self, region: Region) -> bool:
        """Whether the place has a line of its own: one that stands once on both sides, with no gap up to the region."""
        if any(map(self._single, self._replaced(region))):
            return True
        above = self._run(range(region.old_start - 1, -1, -1), -1)
        below = self._run(range(region.old_end, len(self.base)), 1)
        return any(self._single(line) for line in (*above, *below))

    def _run(self, rows: range, step: int) -> Iterator[Line[T]]:
        """Yield the lines next to a region as long as ours has them one after the other, blank ones apart."""
        last: int | None = None
        for row in rows:
            if self.base[row].blank:
                continue
            at = self.image.get(row)
            if at is None or (last is not None and self._next(last, step) != at):
                return
            yield self.base[row]
            last = at

    def _next(self, at: int, step: int) -> int:
        at += step
        while 0 <= at < len(self.ours) and self.ours[at].blank:
            at += step
        return at

    def _stand_at(self, start: int, region: Region) -> bool:
        """Whether ours has the new lines of a region from this row on, as deep as the patch has them.

        Equal lines at another depth are another thing: behind a condition, or before the patch wraps them.
        """
        new = self.theirs[region.new_start : region.new_end]
        here = self.ours[start : start + len(new)]
        if [line.key for line in here] != [line.key for line in new]:
            return False
        return all(one.blank or _deep(one) == _deep(other) for one, other in zip(new, here, strict=True))

    def _stand_in(self, low: int, high: int, region: Region) -> bool:
        """Whether the new lines stand between two rows of ours: beside their neighbour, or saying enough."""
        new = [line for line in self.theirs[region.new_start : region.new_end] if not line.blank]
        rows = [at for at in range(low + 1, high) if not self.ours[at].blank]
        here = [self.ours[at].key for at in rows]
        last = len(here) - len(new)
        starts = [at for at in range(last + 1) if here[at : at + len(new)] == [line.key for line in new]]
        if not any(line.telling for line in new):
            above, below = self._neighbours(region)
            starts = [at for at in starts if (at == 0 and above is not None) or (at == last and below is not None)]
        deep = [_deep(line) for line in new]
        return bool(new) and any([_deep(self.ours[row]) for row in rows[at : at + len(new)]] == deep for at in starts)

    def _changed(self, region: Region, low: int, high: int) -> Splice[T] | Unfit | None:
        """Place a region of which upstream has changed lines: gone too, there already, or edited too."""
        new = self.theirs[region.new_start : region.new_end]
        removes = all(line.blank for line in new) and all(line.blank for line in self.ours[low + 1 : high])
        keys = [self.base[row].key for row in _old(region)]
        gone = removes and all(self.stock[1][key] <= self.wanted[key] for key in keys)
        if gone or self._stand_in(low, high, region):
            return None
        made = [self._merged(*sides) for sides in self._pairs(region)]
        lines = [line for line in made if line is not None]
        if not made or len(lines) < len(made):
            return Unfit("upstream has changed the lines that the patch changes")
        start, end = self._between_neighbours(region)
        return Splice(start, end, tuple(lines), Footing.BOTH, reindented=False)

    def _merged(self, base: Line[T], theirs: Line[T], ours: Line[T]) -> Line[T] | None:
        return ours if theirs.exact == base.exact else self.merge(base, theirs, ours)

    def _pairs(self, region: Region) -> list[tuple[Line[T], Line[T], Line[T]]]:
        """Pair the rows of a region one to one with those of theirs and ours; none where numbers or kinds differ."""
        start, end = self._between_neighbours(region)
        rows = _old(region)
        if not len(rows) == region.new_end - region.new_start == end - start:
            return []
        sides = zip(
            (self.base[row] for row in rows),
            self.theirs[region.new_start : region.new_end],
            self.ours[start:end],
            strict=True,
        )
        pairs = list(sides)
        in_order = all(self.image.get(row, at) == at for row, at in zip(rows, range(start, end), strict=True))
        return pairs if in_order and all(len({line.kind for line in pair}) == 1 for pair in pairs) else []

    def _between_neighbours(self, region: Region) -> tuple[int, int]:
        """Return the rows of ours between the direct neighbours of a region; none where one of these is not there."""
        above, below = region.old_start - 1, region.old_end
        start = 0 if above < 0 else self.image.get(above, -1) + 1
        end = len(self.ours) if below == len(self.base) else self.image.get(below, 0)
        known = (above < 0 or above in self.image) and (below == len(self.base) or below in self.image)
        return (start, end) if known else (0, 0)

    def _gap(self, region: Region) -> tuple[int, int]:
        """Return the last row of ours that is known to stand before the region, and the first one behind it."""
        low = next((self.image[row] for row in range(region.old_start - 1, -1, -1) if row in self.image), -1)
        behind = range(region.old_end, len(self.base))
        high = next((self.image[row] for row in behind if row in self.image), len(self.ours))
        return low, high

    def _inserted(self, region: Region, low: int, high: int) -> Splice[T] | Unfit | None:
        """Place added lines, and blank ones that they replace."""
        new = self.theirs[region.new_start : region.new_end]
        inside = [line.key for line in self.ours[low + 1 : high] if not line.blank]
        only_blank = not _old(region) and all(line.blank for line in new) and not inside and high - low > 1
        if only_blank or self._stand_in(low, high, region):
            return None
        words = [line.key for line in new if not line.blank]
        if words and all(self.stock[1][word] > self.stock[0][word] for word in words):
            return Unfit("upstream has added the same lines at another place")
        if self.added & set(inside):
            return Unfit("upstream has parts of what the patch adds")
        above, below = self._neighbours(region)
        if above is None and below is None:
            return Unfit("upstream has changed the lines on both sides of what the patch adds")
        if self._torn_apart(region):
            return Unfit("upstream has indented the lines on one side of what the patch adds")
        if self._blanks(region):
            footing = Footing.BOTH if above is not None and below is not None else Footing.ONE
            start, end = self.image[region.old_start], self.image[region.old_end - 1]
            return self._splice(start, end + 1, new, footing, region)
        if not self._certain(region):
            at = low + 1 if below is None else high
            return self._splice(at, at, new, Footing.TWINS, region)
        if below is None:
            return self._splice(low + 1, low + 1, new, Footing.ONE, region)
        footing = Footing.ONE if above is None else Footing.SHARED if inside else Footing.BOTH
        splice = self._splice(high, high, new, footing, region)
        return self._shared(splice, low, high) if footing is Footing.SHARED else splice

    def _shared(self, splice: Splice[T], low: int, high: int) -> Splice[T]:
        """Choose among rows that upstream has added at the same place: inside the block that the added ones belong to.

        A row further left than the added ones ends that block (`elements:` of one option, before the next option).
        """
        outer = min((len(line.indent) for line in splice.lines if not line.blank), default=0)
        rows = [at for at in range(low + 1, high) if not self.ours[at].blank]
        left = next((at for at in rows if len(self.ours[at].indent) < outer), None)
        if left is None:
            return replace(splice, rivals=range(low + 1, high))
        if left == rows[0]:
            return replace(splice, start=low + 1, end=low + 1, footing=Footing.BOTH)
        return replace(splice, start=left, end=left, rivals=range(low + 1, left))

    def _torn_apart(self, region: Region) -> bool:
        """Whether lines above and below, as deep as the added ones, have come to stand at different depths.

        Upstream has wrapped the statements behind a loop in `if`: what was added between is in neither of the two.
        """
        new = [line for line in self.theirs[region.new_start : region.new_end] if not line.blank]
        if not new:
            return False
        place = margin(min(new, key=lambda line: len(line.indent)))
        above = self._depth(range(region.old_start - 1, -1, -1), place)
        below = self._depth(range(region.old_end, len(self.base)), place)
        return above is not None and below is not None and above != below

    def _depth(self, rows: range, place: Margin) -> bytes | None:
        """Give how the nearest line of a place is indented in ours; None where a shallower one is nearer."""
        for row in rows:
            line = self.base[row]
            if line.blank or row not in self.image:
                continue
            if margin(line) == place:
                return self.ours[self.image[row]].indent
            if len(line.indent) < len(place[1]):
                return None
        return None

    def _blanks(self, region: Region) -> bool:
        """Whether blank lines that the region replaces are all there."""
        return bool(_old(region)) and all(row in self.image for row in _old(region))

    def _neighbours(self, region: Region) -> tuple[int | None, int | None]:
        """Give the rows of base next to a region, blank ones passed over, if ours has them; the ends count."""
        above = next((row for row in range(region.old_start - 1, -1, -1) if not self.base[row].blank), -1)
        below = next((row for row in range(region.old_end, len(self.base)) if not self.base[row].blank), len(self.base))
        return (
            above if above < 0 or above in self.image else None,
            below if below == len(self.base) or below in self.image else None,
        )

    def _splice(self, start: int, end: int, new: Sequence[Line[T]], footing: Footing, region: Region) -> Splice[T]:
        lines = shifted(new, self._indents(region), self._own_shift(region))
        reindented = any(one.indent != other.indent for one, other in zip(new, lines, strict=True) if not one.blank)
        return Splice(start, end, lines, footing, reindented)

    def _own_shift(self, region: Region) -> tuple[bytes, bytes] | None:
        """Tell how the first line that a region replaces is indented in base and in ours."""
        rows = [row for row in _old(region) if row in self.image and not self.base[row].blank]
        return (self.base[rows[0]].indent, self.ours[self.image[rows[0]]].indent) if rows else None

    def _indents(self, region: Region) -> dict[Margin, bytes]:
        """Tell for each indentation of base the one of ours, by the nearest line that both have.

        Items of a list are asked for items: people indent them, and not what stands beside the list.
        """
        near = sorted(
            (row for row in self.image if not self.base[row].blank),
            key=lambda row: min(abs(row - region.old_start), abs(row - region.old_end + 1)),
        )
        known: dict[Margin, bytes] = {}
        for row in near:
            known.setdefault(margin(self.base[row]), self.ours[self.image[row]].indent)
        return known


def _deep(line: Line[T]) -> tuple[bytes, int]:
    return line.indent, line.depth


def _old(region: Region) -> range:
    return range(region.old_start, region.old_end)


def _kept(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    row = other = 0
    for region in (*diff(old, new, how=Slide.LOW), Region(len(old), len(old), len(new), len(new))):
        while row < region.old_start:
            yield row, other
            row, other = row + 1, other + 1
        row, other = region.old_end, region.new_end
