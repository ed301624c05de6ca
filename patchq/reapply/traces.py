"""What a text still shows of one edit: how much of what it brings, how much of what it takes away, and its place."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.reapply.aligning import NOWHERE, images, turned
from patchq.text.diff import diff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.reapply.aligning import Alignment, Chunk, Lines

# Tokens of one side of a chunk; beyond, too much differs to be told apart by tokens.
MOST_TOKENS = 6_000
_SIGN = 0.25  # operators say little, brackets and quotes nothing
_SILENT = frozenset((b"(", b")", b'"', b"'", b"[", b"]", b"{", b"}", b":", b'""'))


@dataclass(slots=True)
class Worth:
    """How much a token tells: a word that stands once in the texts of the patch 1, one that stands n times less."""

    base: bytes
    theirs: bytes
    _known: dict[bytes, float] = field(default_factory=dict)

    def of(self, token: bytes) -> float:
        """Weigh a token."""
        if token not in self._known:
            self._known[token] = self._weigh(token)
        return self._known[token]

    def new(self, token: bytes) -> bool:
        """Whether the patch brings this word into the file."""
        return _is_word(token) and token.strip(b'"') not in self.base

    def _weigh(self, token: bytes) -> float:
        if not _is_word(token):
            return 0.0 if token in _SILENT else _SIGN
        word = token.strip(b'"')
        return 1 / (1 + math.log2(max(self.base.count(word), self.theirs.count(word), 1)))


def _is_word(token: bytes) -> bool:
    first = token[:1]
    return first.isalnum() or first == b"_" or first >= b"\x80" or (first == b'"' and len(token) > len(b'""'))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Weights in words, see `Worth`.

    `present` is what ours has, new since base, of what the edit `brings`; `left` what ours still has of what it
    `takes` away; `kept` what ours has of what else stands in the lines that the edit changes, of `stands`. `new` words
    come into the file with the patch, `found` of them are in ours.
    """

    brings: float
    present: float
    takes: float
    left: float
    stands: float
    kept: float
    new: int
    found: int


@dataclass(frozen=True, slots=True)
class _Tokens:
    tokens: tuple[bytes, ...]
    rows: tuple[int, ...]


class Weighed:
    """One chunk by tokens: all edits of the patch that lie in it are asked of the same three alignments."""

    __slots__ = ("_gains", "_keeps", "_losses", "_ours", "_worth", "big", "reflowed")

    def __init__(self, sides: Alignment, chunk: Chunk, worth: Worth, ours: bytes) -> None:
        """Align the tokens of a chunk; `ours` is the whole text, in which new words are looked for."""
        parts = ((sides.base, chunk.base), (sides.theirs, chunk.theirs), (sides.ours, chunk.ours))
        old, new, now = (_tokens(side, rows) for side, rows in parts)
        self._worth, self._ours = worth, ours
        self.big = max(len(side.tokens) for side in (old, new, now)) > MOST_TOKENS
        self._gains: list[tuple[int, bytes, bool]] = []
        self._losses: list[tuple[int, bytes, bool]] = []
        self._keeps: list[tuple[int, bytes, bool]] = []
        # The words of one side alone, in other lines.
        self.reflowed = now.tokens == new.tokens != old.tokens
        if self.big:
            return
        from_base, from_theirs = images(old.tokens, now.tokens), images(new.tokens, now.tokens)
        of_base, of_theirs = turned(from_base, len(now.tokens)), turned(from_theirs, len(now.tokens))
        regions = diff(old.tokens, new.tokens)
        for region in regions:
            for at in range(region.new_start, region.new_end):
                there = from_theirs[at] != NOWHERE and of_base[from_theirs[at]] == NOWHERE and _in_run(from_theirs, at)
                self._gains.append((new.rows[at], new.tokens[at], there))
            for at in range(region.old_start, region.old_end):
                there = from_base[at] != NOWHERE and of_theirs[from_base[at]] == NOWHERE and _in_run(from_base, at)
                self._losses.append((old.rows[at], old.tokens[at], there))
        lost = {at for region in regions for at in range(region.old_start, region.old_end)}
        for at in range(len(old.tokens)):
            if at not in lost:
                self._keeps.append((old.rows[at], old.tokens[at], from_base[at] != NOWHERE))

    def trace(self, old: range, new: range) -> Trace:
        """Weigh the edit that replaces rows `old` of base by rows `new` of theirs."""
        brings, present = self._sums(self._gains, new)
        takes, left = self._sums(self._losses, old)
        stands, kept = self._sums(self._keeps, old)
        fresh = {token.strip(b'"') for row, token, _ in self._gains if row in new and self._worth.new(token)}
        return Trace(
            brings=brings,
            present=present,
            takes=takes,
            left=left,
            stands=stands,
            kept=kept,
            new=len(fresh),
            found=sum(word in self._ours for word in fresh),
        )

    def _sums(self, found: Sequence[tuple[int, bytes, bool]], rows: range) -> tuple[float, float]:
        weights = [(self._worth.of(token), there) for row, token, there in found if row in rows]
        return sum(weight for weight, _ in weights), sum(weight for weight, there in weights if there)


def _tokens(side: Lines, rows: range) -> _Tokens:
    found = [(token, row) for row in rows for token in side.tokens(row)]
    return _Tokens(tuple(token for token, _ in found), tuple(row for _, row in found))


def _in_run(image: Sequence[int], at: int) -> bool:
    """Whether a neighbour of a kept token is kept beside it: one alone may stand there by chance."""
    before = at > 0 and image[at - 1] == image[at] - 1 != NOWHERE
    after = at + 1 < len(image) and image[at + 1] == image[at] + 1
    return before or after


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an edit belongs in ours, by the nearest lines of base around it that say something.

    `above` and `below` tell whether ours has them (or they are the edges of the file), `between` how many lines that
    base does not have stand there, None where one of them is missing.
    """

    above: bool
    below: bool
    between: int | None


def place_of(sides: Alignment, old: range) -> Place:
    """Look for the place of the rows `old` of base."""
    upper, lower = _telling(sides.base, old.start, -1), _telling(sides.base, old.stop - 1, 1)
    above = NOWHERE if upper < 0 else sides.base_to_ours[upper]
    below = len(sides.ours) if lower == len(sides.base) else sides.base_to_ours[lower]
    has_above, has_below = upper < 0 or above != NOWHERE, below != NOWHERE
    between = None
    if has_above and has_below:
        rows = range(above + 1, below)
        between = sum(bool(sides.ours.keys[row]) and sides.ours_to_base[row] == NOWHERE for row in rows)
    return Place(above=has_above, below=has_below, between=between)


def left_out(sides: Alignment, new: range) -> Iterator[int]:
    """Yield the rows of `new` that ours does not have although it has the lines around them, and nothing between."""
    row = new.start
    while row < new.stop:
        stop = row + 1
        if sides.theirs.keys[row] and sides.theirs_to_ours[row] == NOWHERE:
            while stop < new.stop and (not sides.theirs.keys[stop] or sides.theirs_to_ours[stop] == NOWHERE):
                stop += 1
            upper, lower = _telling(sides.theirs, row, -1), _telling(sides.theirs, stop - 1, 1)
            above = NOWHERE if upper < 0 else sides.theirs_to_ours[upper]
            below = len(sides.ours) if lower == len(sides.theirs) else sides.theirs_to_ours[lower]
            known = (upper < 0 or above != NOWHERE) and below != NOWHERE
            if known and not any(sides.ours.keys[at] for at in range(above + 1, below)):
                yield from (at for at in range(row, stop) if sides.theirs.keys[at])
        row = stop


def _telling(side: Lines, row: int, step: int) -> int:
    """Return the next row that is not blank; -1 or the number of rows beyond the edge."""
    row += step
    while 0 <= row < len(side) and not side.keys[row]:
        row += step
    return row
