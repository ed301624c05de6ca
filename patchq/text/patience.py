"""Anchors of a cheap diff: lines that occur once on both sides, as many as keep their order (Cohen's patience diff)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def unique_anchors(a: Sequence[int], b: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of rows (in `a`, in `b`) with equal lines, both rising; O(n log n) for n lines."""
    once_in_a = {line for line, count in Counter(a).items() if count == 1}
    row_in_b = {line: row for row, line in enumerate(b)}
    once = {line for line, count in Counter(b).items() if count == 1 and line in once_in_a}
    pairs = [(row, row_in_b[line]) for row, line in enumerate(a) if line in once]
    return _longest_rising(pairs)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep a longest subsequence whose second members rise."""
    ends: list[int] = []  # the smallest last member of a rising run of each length
    last: list[int] = []  # and the pair that it belongs to
    before: list[int] = []
    for number, (_, row) in enumerate(pairs):
        length = bisect_left(ends, row)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [row]
        last[length : length + 1] = [number]
    chosen = []
    number = last[-1] if last else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = before[number]
    return chosen[::-1]
