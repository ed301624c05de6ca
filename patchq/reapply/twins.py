"""Unchanged runs of lines that could as well stand elsewhere: a merge inside them rests on the comparison's choice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.locate import LIMIT, follow, occurrences
from patchq.text.merge3 import OnlyTheirs, Same
from patchq.text.slide import Slide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.text.merge3 import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A change of theirs in base rows `start:end` that upstream left alone, with all rows where these lines stand."""

    change: OnlyTheirs
    start: int
    end: int
    in_base: tuple[int, ...]
    in_ours: tuple[int, ...]


def twins(chunks: Sequence[Chunk], base: bytes, ours: bytes) -> Iterator[Twin]:
    """Find the changes of theirs whose place in ours cannot be told from another one.

    A merge puts a change where the comparison of base and ours has paired the lines around it. That is evidence as
    long as the whole run of paired lines, up to upstream's next change on either side, occurs once on each side. If
    it occurs more often, all its twins must have stayed, each paired with its own: else upstream has removed, added or
    moved one of them, and which one is a guess.
    """
    for unchanged, group in groupby(chunks, key=lambda chunk: isinstance(chunk, Same | OnlyTheirs)):
        run = tuple(group)
        changes = [chunk for chunk in run if isinstance(chunk, OnlyTheirs)]
        if not unchanged or not changes:
            continue
        start, end = run[0].base.start, run[-1].base.end
        block = [line for chunk in run for line in chunk.base.lines]
        in_base, in_ours = occurrences(block, base), occurrences(block, ours)
        if not _all_stayed(base, ours, in_base, in_ours, end - start):
            yield Twin(change=changes[0], start=start, end=end, in_base=in_base, in_ours=in_ours)


def _all_stayed(base: bytes, ours: bytes, in_base: tuple[int, ...], in_ours: tuple[int, ...], count: int) -> bool:
    if len(in_base) == len(in_ours) == 1:
        return True
    if len(in_base) != len(in_ours) or len(in_base) >= LIMIT:
        return False
    regions = diff(split_lines(base), split_lines(ours), how=Slide.LOW)
    return tuple(follow(regions, row, row + count) for row in in_base) == in_ours
