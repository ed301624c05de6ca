"""How far a change could be written higher or lower among equal lines, and past which changes of another side."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.text.diff import Region

_FAR = 1000  # lines; a change that could slide further is looked at no further
_WORD = re.compile(rb"\w")


def extent(old: Sequence[bytes], new: Sequence[bytes], region: Region) -> tuple[int, int]:
    """Return the old rows, half open, over which `region` of the difference of `old` and `new` can be moved.

    Lines that are only deleted or only inserted slide over equal neighbours: to insert `b, a` after `a` is to insert
    `a, b` before it. A replacement stays where it is.
    """
    start, end = region.old_start, region.old_end
    inserted = new[region.new_start : region.new_end]
    if start < end and inserted:
        return start, end
    group = inserted or old[start:end]
    up = down = 0
    while up < min(start, _FAR) and old[start - 1 - up] == group[-1 - up % len(group)]:
        up += 1
    while down < min(len(old) - end, _FAR) and old[end + down] == group[down % len(group)]:
        down += 1
    return start - up, end + down


def passing(
    old: Sequence[bytes], new: Sequence[bytes], sliding: Sequence[Region], fixed: Sequence[Region]
) -> Iterator[tuple[Region, Region]]:
    """Find each of `sliding` (regions of `old` against `new`) that could be written over or past one of `fixed`.

    Both are in order and do not touch each other. It counts only if a line with a word is slid over: which of two
    blank lines or brackets a change stands behind is layout.
    """
    for region in sliding:
        low, high = extent(old, new, region)
        first = bisect_right(fixed, low, key=lambda other: other.old_end)
        last = bisect_left(fixed, high, key=lambda other: other.old_start)
        for other in fixed[first:last]:
            above = old[max(low, other.old_start) : region.old_start]
            below = old[region.old_end : min(high, other.old_end)]
            if any(map(_WORD.search, above if other.old_start < region.old_start else below)):
                yield region, other


def could_touch(
    old: Sequence[bytes],
    one: tuple[Sequence[bytes], Sequence[Region]],
    two: tuple[Sequence[bytes], Sequence[Region]],
) -> bool:
    """Tell whether changes of two sides touch or overlap in some way of writing both differences down.

    A side is its lines and its regions against `old`.
    """
    extents = [
        (*extent(old, new, region), side) for side, (new, regions) in enumerate((one, two)) for region in regions
    ]
    reached = [-1, -1]
    for start, end, side in sorted(extents):
        if reached[1 - side] >= start:
            return True
        reached[side] = max(reached[side], end)
    return False
