"""Byte strings whose number in a file tells whether an edit's surroundings have changed: quick to count, no proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.text.diff import Region

_MOST = 24
_LONG = 8  # bytes of a line that may say something by itself


def needles(base: bytes, theirs: bytes, regions: Sequence[Region]) -> tuple[bytes, ...]:
    """Choose what to count for the edits `regions` from `base` to `theirs`: lines gained and lost, most telling first.

    A line that stands nowhere else is a needle without its indentation; of any other the needle is its text with the
    line before it or behind it: `return None` alone comes and goes without anybody having meant the edit.
    """
    old, new = split_lines(base), split_lines(theirs)
    single: dict[bytes, None] = {}
    double: dict[bytes, None] = {}
    for region in regions:
        for text, lines, rows in (
            (theirs, new, range(region.new_start, region.new_end)),
            (base, old, range(region.old_start, region.old_end)),
        ):
            for row in rows:
                line = lines[row].strip()
                if len(line) >= _LONG and text.count(line) == 1:
                    single[line] = None
                elif line:
                    double.update(dict.fromkeys(_pairs(lines, row)))
        if region.new_start == region.new_end:
            # What a deletion leaves: the lines that come to stand side by side.
            double.update(dict.fromkeys(_pairs(new, region.new_start)))
    return _spread(tuple(single), _MOST) + (_spread(tuple(double), _MOST // 2) if len(single) < _MOST // 4 else ())


def counts(data: bytes, sought: Iterable[bytes]) -> tuple[int, ...]:
    """Count each of `sought` in `data`."""
    return tuple(map(data.count, sought))


def _pairs(lines: Sequence[bytes], row: int) -> list[bytes]:
    pairs = [lines[at] + lines[at + 1] for at in (row - 1, row) if 0 <= at < len(lines) - 1]
    return [pair.strip() for pair in pairs if pair.strip()]


def _spread(found: tuple[bytes, ...], most: int) -> tuple[bytes, ...]:
    """Keep `most` of what was found, from everywhere."""
    if len(found) <= most:
        return found
    return tuple(found[at * len(found) // most] for at in range(most))
