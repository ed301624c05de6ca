"""Which member of one list is which member of another: by identity, by name, by neighbours, never by a score."""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import TYPE_CHECKING

from patchq.syntax.facts import Strength

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from patchq.syntax.facts import Signature

# Longest common subsequences cost the product of the lengths; beyond this only equal ends are matched.
_MAX_CELLS = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Peg:
    """What matching sees of a member: two identities (see `Node`), its kind, its signature, and whether it may move."""

    exact: Hashable
    same: Hashable
    kind: str
    signature: Signature | None
    movable: bool

    @property
    def name(self) -> tuple[str, ...] | None:
        """The key that identifies the member in its whole list, if it has one.

        Where members may move (a class body, a module), an assigned name is as good as a definition's.
        """
        if self.signature is None:
            return None
        strong = self.signature.strength is Strength.STRONG or (self.movable and self.signature.step is not None)
        return self.signature.key if strong else None

    @property
    def family(self) -> tuple[str, ...] | None:
        """The part of the name that stays when a function gets another parameter."""
        return None if self.signature is None else self.signature.family


class Grade(Enum):
    """How a pair was found, best first."""

    EXACT = "exact"  # equal, comments included
    SAME = "same"  # equal apart from comments and formatting
    NAMED = "named"  # the same strong signature
    NEIGHBOURS = "neighbours"  # the same weak signature between the same neighbours
    LEFT_OVER = "left over"  # the only two of their kind between the same neighbours
    RENAMED = "renamed"  # the same, and their names differ


@dataclass(frozen=True, slots=True)
class Pair:
    """Member `left` of the first list is member `right` of the second."""

    left: int
    right: int
    grade: Grade


def match(left: Sequence[Peg], right: Sequence[Peg], *, reserved: frozenset[int] = frozenset()) -> tuple[Pair, ...]:
    """Pair the members of two lists, ordered by `left`; each member is in one pair at most.

    Members that may not move are paired in order only: of crossing pairs the fewer are given up (GumTree-style
    matchers keep them and lose swapped arguments). Similarity plays no part. Members of `right` that are `reserved`
    are paired by identity or name only: a neighbour that has lost its own counterpart must not take them.
    """
    pairs: dict[int, Pair] = {}
    _unique(left, right, pairs, lambda peg: peg.name, Grade.NAMED)
    _unique(left, right, pairs, lambda peg: peg.exact, Grade.EXACT)
    _unique(left, right, pairs, lambda peg: peg.same, Grade.SAME)
    _unique(left, right, pairs, lambda peg: peg.family, Grade.NEIGHBOURS)
    spine = _spine(left, pairs)
    for gap_left, gap_right in _gaps(left, right, pairs, spine):
        _match_gap(left, right, gap_left, gap_right, pairs, reserved)
    return tuple(sorted(pairs.values(), key=lambda pair: pair.left))


def _weak(peg: Peg) -> Hashable | None:
    return None if peg.signature is None else peg.signature.key


def _unique(
    left: Sequence[Peg],
    right: Sequence[Peg],
    pairs: dict[int, Pair],
    key_of: Callable[[Peg], Hashable | None],
    grade: Grade,
) -> None:
    """Pair members whose key is unique in both lists."""
    taken = {pair.right for pair in pairs.values()}
    left_keys = {i: key for i, peg in enumerate(left) if i not in pairs and (key := key_of(peg)) is not None}
    right_keys = {j: key for j, peg in enumerate(right) if j not in taken and (key := key_of(peg)) is not None}
    left_count, right_count = Counter(left_keys.values()), Counter(right_keys.values())
    place = {key: j for j, key in right_keys.items() if right_count[key] == 1}
    for i, key in left_keys.items():
        if left_count[key] == 1 and key in place:
            pairs[i] = Pair(i, place[key], grade)


def _spine(left: Sequence[Peg], pairs: dict[int, Pair]) -> list[Pair]:
    """Keep the longest increasing run of pairs; give up crossing pairs of members that may not move."""
    ordered = [pairs[i] for i in sorted(pairs)]
    spine = _increasing(ordered)
    kept = {pair.left for pair in spine}
    for pair in ordered:
        if pair.left not in kept and not left[pair.left].movable:
            del pairs[pair.left]
    return spine


def _increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """Longest strictly increasing subsequence by `right` (patience sorting)."""
    tails: list[int] = []
    tail_at: list[int] = []
    before: list[int] = []
    for index, pair in enumerate(pairs):
        slot = bisect.bisect_left(tails, pair.right)
        before.append(tail_at[slot - 1] if slot else -1)
        if slot == len(tails):
            tails.append(pair.right)
            tail_at.append(index)
        else:
            tails[slot], tail_at[slot] = pair.right, index
    run: list[Pair] = []
    at = tail_at[-1] if tail_at else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _gaps(
    left: Sequence[Peg], right: Sequence[Peg], pairs: dict[int, Pair], spine: Sequence[Pair]
) -> list[tuple[list[int], list[int]]]:
    """List the unpaired members between neighbouring pairs of the spine."""
    taken = {pair.right for pair in pairs.values()}
    gaps = []
    i = j = 0
    for pair in (*spine, Pair(len(left), len(right), Grade.EXACT)):
        gap = (
            [k for k in range(i, pair.left) if k not in pairs],
            [k for k in range(j, pair.right) if k not in taken],
        )
        if gap[0] and gap[1]:
            gaps.append(gap)
        i, j = pair.left + 1, pair.right + 1
    return gaps


def _match_gap(
    left: Sequence[Peg],
    right: Sequence[Peg],
    gap_left: list[int],
    gap_right: list[int],
    pairs: dict[int, Pair],
    reserved: frozenset[int],
) -> None:
    """Pair inside one gap: equal ones in order, then equal signatures in order, then the last two of a kind."""
    steps: tuple[tuple[Callable[[Peg], Hashable | None], Grade], ...] = (
        (lambda peg: peg.exact, Grade.EXACT),
        (lambda peg: peg.same, Grade.SAME),
        (_weak, Grade.NEIGHBOURS),
    )
    runs = [(gap_left, gap_right)]
    for key_of, grade in steps:
        rest = []
        for some_left, all_right in runs:
            some_right = [j for j in all_right if grade is not Grade.NEIGHBOURS or j not in reserved]
            found = _common(left, right, some_left, some_right, key_of)
            pairs.update((i, Pair(i, j, grade)) for i, j in found)
            rest.extend(_between(some_left, some_right, found))
        runs = rest
    for some_left, some_right in runs:
        for kind in {left[i].kind for i in some_left}:
            lefts = [i for i in some_left if left[i].kind == kind]
            rights = [j for j in some_right if right[j].kind == kind and j not in reserved]
            if len(lefts) == 1 and len(rights) == 1 and _may_be_left_over(left[lefts[0]], right[rights[0]]):
                names = left[lefts[0]].name, right[rights[0]].name
                grade = Grade.LEFT_OVER if names[0] == names[1] else Grade.RENAMED
                pairs[lefts[0]] = Pair(lefts[0], rights[0], grade)


def _may_be_left_over(left: Peg, right: Peg) -> bool:
    """Members whose names are not optional (definitions, entries, arguments) are told apart by them, however lonely."""
    return not any(peg.signature is not None and peg.signature.strength is Strength.STRONG for peg in (left, right))


def _common(
    left: Sequence[Peg],
    right: Sequence[Peg],
    some_left: list[int],
    some_right: list[int],
    key_of: Callable[[Peg], Hashable | None],
) -> list[tuple[int, int]]:
    # Members without a key must not match one another, so each gets a key of its own.
    left_keys = [key if (key := key_of(left[i])) is not None else ("left", i) for i in some_left]
    right_keys = [key if (key := key_of(right[j])) is not None else ("right", j) for j in some_right]
    if len(some_left) * len(some_right) > _MAX_CELLS:
        ends = _equal_ends(left_keys, right_keys)
        return [(some_left[a], some_right[b]) for a, b in ends]
    blocks: Iterable[tuple[int, int, int]] = SequenceMatcher(
        None, left_keys, right_keys, autojunk=False
    ).get_matching_blocks()
    return [(some_left[a + k], some_right[b + k]) for a, b, size in blocks for k in range(size)]


def _equal_ends(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pair what two long lists begin and end with alike."""
    shorter = min(len(left), len(right))
    head = next((k for k in range(shorter) if left[k] != right[k]), shorter)
    tail = next((k for k in range(shorter - head) if left[-1 - k] != right[-1 - k]), shorter - head)
    return [
        *((k, k) for k in range(head)),
        *((len(left) - k, len(right) - k) for k in range(tail, 0, -1)),
    ]


def _between(
    some_left: list[int], some_right: list[int], found: list[tuple[int, int]]
) -> list[tuple[list[int], list[int]]]:
    """Split a gap at the pairs found in it."""
    runs = []
    a = b = 0
    last = max([*some_left, *some_right, -1]) + 1
    for i, j in (*found, (last, last)):
        run_left = []
        while a < len(some_left) and some_left[a] < i:
            run_left.append(some_left[a])
            a += 1
        run_right = []
        while b < len(some_right) and some_right[b] < j:
            run_right.append(some_right[b])
            b += 1
        a += a < len(some_left) and some_left[a] == i
        b += b < len(some_right) and some_right[b] == j
        if run_left and run_right:
            runs.append((run_left, run_right))
    return runs
