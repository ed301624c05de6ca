"""The lines that two texts share: Myers' O(ND) search in linear space, with a bound on its work.

E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986), section 4b. Which of several
shortest scripts is found, what is left out of the search and when it stops being exact follow git's diff, because
people compare our hunks with git's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.text.lines import common_prefix
from patchq.text.patience import unique_anchors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# From so many edits on a box is cut at the furthest point that was reached, not at the best one; git's bound.
_EXACT_EDITS = 256
# Diagonals and lines visited before unique lines alone decide: about a second of CPython.
_STEPS = 4_000_000
# A line with so many matches (or the square root of the length, if that is less) says little about its place when
# its neighbours have no match at all; git's bounds.
_MANY_MATCHES = 1024
_NEIGHBOURS = 100
_NONE, _SOME, _MANY = range(3)


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of the edit graph: rows `a_lo` to `a_hi` of one side against `b_lo` to `b_hi` of the other."""

    a_lo: int
    a_hi: int
    b_lo: int
    b_hi: int
    exact: bool = False  # the number of edits is known to be small: search to the end


def changed_lines(old: Sequence[int], new: Sequence[int]) -> tuple[bytearray, bytearray]:
    """Flag with 1 each line of `old` that goes and each line of `new` that comes; lines are given as numbers.

    The unflagged lines of both sides are equal one by one. Work is bounded: after four million steps only lines that
    are unique on both sides are kept (patience), and what lies between them counts as changed.
    """
    removed, added = bytearray(len(old)), bytearray(len(new))
    head = common_prefix(old, new)
    tail = common_prefix(old[head:][::-1], new[head:][::-1])
    in_old, in_new = Counter(old), Counter(new)
    old_rows = _searchable(old, range(head, len(old) - tail), in_new, removed)
    new_rows = _searchable(new, range(head, len(new) - tail), in_old, added)
    search = _Search([old[row] for row in old_rows], [new[row] for row in new_rows])
    for box in search.changed():
        for row in old_rows[box.a_lo : box.a_hi]:
            removed[row] = 1
        for row in new_rows[box.b_lo : box.b_hi]:
            added[row] = 1
    return removed, added


def _root(number: int) -> int:
    """Give a power of two near the square root, as git's bounds do."""
    return 1 << (number.bit_length() + 1) // 2


def _searchable(lines: Sequence[int], rows: range, elsewhere: Counter[int], flags: bytearray) -> list[int]:
    """Return the rows that take part in the search, and flag the others as changed.

    A line without a match cannot be kept. A line with many matches (a brace, a blank) that stands between lines
    without any would only tie the search to accidental neighbours.
    """
    many = min(_root(len(lines)), _MANY_MATCHES)
    counts = map(elsewhere.get, lines[rows.start : rows.stop])
    matches = bytearray([_SOME if count and count < many else _MANY if count else _NONE for count in counts])
    if matches.count(_SOME) == len(matches):
        return list(rows)
    kept = []
    for place, row in enumerate(rows):
        if matches[place] == _SOME or (matches[place] == _MANY and not _is_lost(matches, place)):
            kept.append(row)
        else:
            flags[row] = 1
    return kept


def _is_lost(matches: bytearray, place: int) -> bool:
    """Tell whether the line with many matches at `place` stands in a run that is mostly without any match."""
    before = matches[max(place - _NEIGHBOURS, 0) : place].rpartition(bytes([_SOME]))[2]
    after = matches[place + 1 : place + 1 + _NEIGHBOURS].partition(bytes([_SOME]))[0]
    alone_before, alone_after = before.count(_NONE), after.count(_NONE)
    if not alone_before or not alone_after:
        return False
    many = before.count(_MANY) + after.count(_MANY) + 2
    return 3 * many < alone_before + alone_after


class _Front:
    """The furthest points that paths from one corner of a box reach, one for each diagonal (row a - row b).

    The backward search is the same search on reversed sequences; `visit` turns the order of the diagonals round too.
    """

    __slots__ = ("_a", "_b", "_box", "_visit", "first", "last", "reach", "steps")

    def __init__(self, a: Sequence[int], b: Sequence[int], visit: Callable[[range], Iterable[int]]) -> None:
        self._a, self._b, self._visit = a, b, visit
        self._box = _Box(0, len(a), 0, len(b))
        self.first = self.last = 0
        # Diagonals run from -len(b) - 1 to len(a) + 1: negative ones use the upper part of the list.
        self.reach = [0] * (len(a) + len(b) + 3)
        self.steps = 0

    def enter(self, box: _Box) -> None:
        """Start at the lower corner of `box`."""
        self._box = box
        self.first = self.last = box.a_lo - box.b_lo
        self.reach[self.first] = box.a_lo

    def advance(self, other: _Front | None) -> int | None:
        """Spend one more edit on every diagonal; return the first diagonal where the path meets one of `other`."""
        box, reach, a, b = self._box, self.reach, self._a, self._b
        a_hi, b_hi = box.a_hi, box.b_hi
        self._widen()
        diagonals = range(self.first, self.last + 1, 2)
        steps = len(diagonals)
        sides = len(a) - len(b)
        for diagonal in self._visit(diagonals):
            below, above = reach[diagonal - 1], reach[diagonal + 1]
            row = start = below + 1 if below >= above else above
            column = row - diagonal
            while row < a_hi and column < b_hi and a[row] == b[column]:
                row += 1
                column += 1
            steps += row - start
            reach[diagonal] = row
            if other is not None:
                mirrored = sides - diagonal
                if other.first <= mirrored <= other.last and row + other.reach[mirrored] >= len(a):
                    self.steps += steps
                    return diagonal
        self.steps += steps
        return None

    def _widen(self) -> None:
        box, reach = self._box, self.reach
        if self.first > box.a_lo - box.b_hi:
            self.first -= 1
            reach[self.first - 1] = -1
        else:
            self.first += 1
        if self.last < box.a_hi - box.b_lo:
            self.last += 1
            reach[self.last + 1] = -1
        else:
            self.last -= 1

    def furthest(self) -> tuple[int, int]:
        """Return the point of the box where most lines of both sides lie behind."""
        box = self._box
        points = []
        for diagonal in self._visit(range(self.first, self.last + 1, 2)):
            row = min(self.reach[diagonal], box.a_hi, box.b_hi + diagonal)
            points.append((row, row - diagonal))
        return max(points, key=sum)


class _Search:
    """Divide and conquer over boxes; the boxes that are left over are changes."""

    def __init__(self, a: list[int], b: list[int]) -> None:
        self._a, self._b = a, b
        self._forward = _Front(a, b, reversed)
        self._backward = _Front(a[::-1], b[::-1], iter)
        self._limit = max(_root(len(a) + len(b) + 3), _EXACT_EDITS)

    def changed(self) -> list[_Box]:
        """Return boxes with rows on one side at least, in no order; rows outside of them are kept."""
        found = []
        todo = [_Box(0, len(self._a), 0, len(self._b))]
        while todo:
            box = self._trimmed(todo.pop())
            if box.a_lo == box.a_hi or box.b_lo == box.b_hi:
                found.append(box)
            elif self._spent < _STEPS:
                todo += self._halves(box)
            else:
                found += self._between_unique_lines(box)
        return found

    @property
    def _spent(self) -> int:
        return self._forward.steps + self._backward.steps

    def _trimmed(self, box: _Box) -> _Box:
        a, b = self._a, self._b
        a_lo, a_hi, b_lo, b_hi = box.a_lo, box.a_hi, box.b_lo, box.b_hi
        while a_lo < a_hi and b_lo < b_hi and a[a_lo] == b[b_lo]:
            a_lo += 1
            b_lo += 1
        while a_lo < a_hi and b_lo < b_hi and a[a_hi - 1] == b[b_hi - 1]:
            a_hi -= 1
            b_hi -= 1
        return _Box(a_lo, a_hi, b_lo, b_hi, box.exact)

    def _halves(self, box: _Box) -> tuple[_Box, _Box]:
        """Cut `box` where paths from both corners meet, or where the better one has got to when that takes long."""
        forward, backward = self._forward, self._backward
        a_len, b_len = len(self._a), len(self._b)
        forward.enter(box)
        backward.enter(_Box(a_len - box.a_hi, a_len - box.a_lo, b_len - box.b_hi, b_len - box.b_lo))
        odd = (box.a_hi - box.a_lo - box.b_hi + box.b_lo) % 2
        edits = 0
        while (edits < self._limit or box.exact) and self._spent < _STEPS:
            edits += 1
            met = forward.advance(backward if odd else None)
            if met is not None:
                return _cut(box, (forward.reach[met], forward.reach[met] - met), exact=(True, True))
            met = backward.advance(None if odd else forward)
            if met is not None:
                row = backward.reach[met]
                return _cut(box, (a_len - row, b_len - row + met), exact=(True, True))
        ahead = forward.furthest()
        behind = backward.furthest()
        back = (a_len - behind[0], b_len - behind[1])
        if sum(ahead) - box.a_lo - box.b_lo > box.a_hi + box.b_hi - sum(back):
            return _cut(box, ahead, exact=(True, False))
        return _cut(box, back, exact=(False, True))

    def _between_unique_lines(self, box: _Box) -> list[_Box]:
        anchors = unique_anchors(self._a[box.a_lo : box.a_hi], self._b[box.b_lo : box.b_hi])
        ends = [(box.a_lo + row, box.b_lo + column) for row, column in anchors]
        starts = [(box.a_lo, box.b_lo), *((row + 1, column + 1) for row, column in ends)]
        return [
            self._trimmed(_Box(a_lo, a_hi, b_lo, b_hi))
            for (a_lo, b_lo), (a_hi, b_hi) in zip(starts, [*ends, (box.a_hi, box.b_hi)], strict=True)
        ]


def _cut(box: _Box, at: tuple[int, int], *, exact: tuple[bool, bool]) -> tuple[_Box, _Box]:
    row, column = at
    return (
        _Box(box.a_lo, row, box.b_lo, column, exact[0]),
        _Box(row, box.a_hi, column, box.b_hi, exact[1]),
    )
