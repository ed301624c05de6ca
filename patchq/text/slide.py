"""Where a change may stand among equal lines: groups slide to where a reader, and git, would put them.

Deleting one of three equal lines can be written in three ways. git joins groups that touch when slid, then puts each
opposite a change of the other side, or else where the indentation suggests a boundary, or else as low as possible.
The weights are those of git's indent heuristic, which M. Haggerty fitted to changes that people had rated (git 2.11
and later, https://github.com/mhagger/diff-slider-tools).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence


class Slide(Enum):
    """Where a group ends up that stands opposite no change of the other side."""

    INDENT = "indent"  # at the best boundary by indentation, as `git diff` does
    LOW = "low"  # as low as possible, as `git merge-file` does


# A side of a diff, sparsely: after how many kept lines a group of changed lines stands -> how many lines it has.
# The kept lines of both sides are the same, so a key means the same place on both.
Groups = dict[int, int]

_SCAN = 100  # places that are rated at most
_BLANKS = 20  # blank lines that are looked over at most
_WIDTH = 200  # indentation beyond this counts as this
_TAB = 8
_BLANK = -1  # the indentation of a blank line, and of none


def groups(changed: bytearray) -> Groups:
    """Collect the runs of 1 in `changed`."""
    found = {}
    start = changed.find(1)
    passed = 0
    while start >= 0:
        end = changed.find(0, start)
        end = len(changed) if end < 0 else end
        found[start - passed] = end - start
        passed += end - start
        start = changed.find(1, end)
    return found


def slide(side: Groups, other: Container[int], lines: Sequence[bytes], how: Slide) -> Groups:
    """Return the groups of one side, joined and put in place; `lines` are all lines of that side.

    `other` has the places of the other side's groups. The cost is linear in the lines that groups slide over.
    """
    slider = _Slider(side, lines)
    while slider.below:
        slider.take()
        high, opposite = _spread(slider, other)
        if opposite is not None:
            slider.rise_to(opposite)
        elif how is Slide.INDENT and high < slider.place:
            slider.rise_to(_best_place(slider, high))
        slider.leave()
    return dict(slider.above)


class _Slider:
    """One group at a time, from the top, between those that are placed (`above`) and those that wait (`below`)."""

    __slots__ = ("above", "below", "lines", "place", "size", "start")

    def __init__(self, side: Groups, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.above: list[tuple[int, int]] = []
        self.below = sorted(side.items(), reverse=True)
        self.place = self.start = self.size = 0

    def take(self) -> None:
        """Go on to the next waiting group."""
        place, size = self.below.pop()
        self.start += self.size + place - self.place
        self.place, self.size = place, size

    def leave(self) -> None:
        """Put the group where it is now."""
        self.above.append((self.place, self.size))

    def up(self) -> bool:
        """Slide one line up if the lines allow it, and join the group that is touched."""
        if self.start == 0 or self.lines[self.start - 1] != self.lines[self.start + self.size - 1]:
            return False
        self.place -= 1
        self.start -= 1
        if self.above and self.above[-1][0] == self.place:
            size = self.above.pop()[1]
            self.start -= size
            self.size += size
        return True

    def down(self) -> bool:
        """Slide one line down if the lines allow it, and join the group that is touched."""
        end = self.start + self.size
        if end == len(self.lines) or self.lines[self.start] != self.lines[end]:
            return False
        self.place += 1
        self.start += 1
        if self.below and self.below[-1][0] == self.place:
            self.size += self.below.pop()[1]
        return True

    def rise_to(self, place: int) -> None:
        """Slide up to `place`, which must be one that the group has passed."""
        while self.place > place:
            self.up()


def _spread(slider: _Slider, other: Container[int]) -> tuple[int, int | None]:
    """Join what touches and go to the lowest place; return the highest one, and the lowest opposite `other`."""
    while True:
        size = slider.size
        while slider.up():
            pass
        high = slider.place
        opposite = high if high in other else None
        while slider.down():
            if slider.place in other:
                opposite = slider.place
        if slider.size == size:
            return high, opposite


def _best_place(slider: _Slider, high: int) -> int:
    """Rate the places from `high` to where the group is by both ends of the group; of equals the lowest wins."""
    lines, size = slider.lines, slider.size
    low_end = slider.start + size
    best: _Rating | None = None
    chosen = slider.place
    rises = min(slider.place - high, size + 1, _SCAN)
    for rise in range(rises, -1, -1):
        end = low_end - rise
        rating = _rate(lines, end) + _rate(lines, end - size)
        if best is None or not best.is_better_than(rating):
            best, chosen = rating, slider.place - rise
    return chosen


@dataclass(frozen=True, slots=True)
class _Rating:
    """How bad a boundary is: deeper indentation weighs more than what the lines around it look like."""

    indent: int
    penalty: int

    def __add__(self, other: _Rating) -> _Rating:
        return _Rating(self.indent + other.indent, self.penalty + other.penalty)

    def is_better_than(self, other: _Rating) -> bool:
        """Compare two sums of as many boundaries each."""
        deeper = (self.indent > other.indent) - (self.indent < other.indent)
        return 60 * deeper + self.penalty - other.penalty < 0


def _rate(lines: Sequence[bytes], row: int) -> _Rating:
    """Rate the boundary before line `row`."""
    here = _indent(lines[row]) if row < len(lines) else _BLANK
    above, blanks_above = _nearest(lines, range(row - 1, -1, -1))
    below, blanks_below = _nearest(lines, range(row + 1, len(lines)))
    blanks_after = 1 + blanks_below if here == _BLANK else 0
    blanks = blanks_above + blanks_after
    indent = below if here == _BLANK else here
    penalty = 6 * blanks_after - 30 * blanks
    if above == _BLANK and blanks_above == 0:
        penalty += 1
    if row >= len(lines):
        penalty += 21
    if _BLANK not in {indent, above}:
        penalty += _step_penalty(above, indent, below, blanks)
    return _Rating(indent, penalty)


def _step_penalty(above: int, indent: int, below: int, blanks: int) -> int:
    """Rate the step in indentation across a boundary, with and without blank lines at it."""
    if indent > above:
        return 10 if blanks else -4
    if indent == above:
        return 0
    if below > indent:  # such as `else:`
        return 17 if blanks else 24
    return 17 if blanks else 23


def _nearest(lines: Sequence[bytes], rows: range) -> tuple[int, int]:
    """Return the indentation of the first line of `rows` that is not blank, and the number of blank ones before."""
    for blanks, row in enumerate(rows):
        indent = _indent(lines[row])
        if indent != _BLANK:
            return indent, blanks
        if blanks + 1 == _BLANKS:
            return 0, _BLANKS
    return _BLANK, len(rows)


def _indent(line: bytes) -> int:
    """Measure the indentation in columns; _BLANK for a line without anything but git's white space."""
    text = line.lstrip(b" \t\r\n")
    if not text:
        return _BLANK
    column = 0
    for byte in line[: len(line) - len(text)]:
        if byte == ord(" "):
            column += 1
        elif byte == ord("\t"):
            column += _TAB - column % _TAB
        if column >= _WIDTH:
            return _WIDTH
    return column
