"""Find the seat of every member that the patch adds: already there, beside its surviving neighbours, or refused."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.attempt import ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass
from patchq.syntax.facts import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.reapply.weave import Spot, Torn
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.match import Pair, Peg
    from patchq.syntax.node import Node
    from patchq.syntax.strip import Segment, Strip

# A statement of this many tokens that stands elsewhere in the same list is no coincidence (cases: double application).
_TELLING_SIZE = 4
# From this size on, a new sibling with mostly the same tokens may be the patch's own work under another name.
_SUSPECT_SIZE = 12
_SUSPECT_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Seat:
    """`member` (of theirs) goes behind member `after` of ours, -1: to the front, None: it is there already."""

    member: int
    after: int | None
    edit: Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """What placing needs: the strips and pegs of base, theirs and ours, and base's pairs with the other two."""

    strips: tuple[Strip, ...]
    pegs: tuple[tuple[Peg, ...], ...]
    to_theirs: dict[int, Pair]
    to_ours: dict[int, Pair]
    spot: Spot
    facts: LanguageFacts

    def segment(self, member: int) -> Segment:
        """Return the patch's member."""
        return self.strips[1].segments[member]

    def below(self, member: int) -> Spot:
        """Return the spot of the patch's member."""
        signature = self.pegs[1][member].signature
        return self.spot.into(None if signature is None else signature.step, self.strips[1].node)


def place(given: Placing) -> list[Seat | Torn]:
    """Seat the patch's own members in their order; each answer is a seat or says why there is none."""
    placer = _Placer(given)
    return [placer.seat(member) for member in placer.new_members]


class _Placer:
    """The state of one `place` call: which members of theirs have an image in ours by now."""

    def __init__(self, given: Placing) -> None:
        self.given = given
        back = {pair.right: pair.left for pair in given.to_theirs.values()}
        self.image = {
            j: given.to_ours[i].right for j, i in back.items() if i in given.to_ours
        }  # member of theirs -> member of ours, through base
        self.lost = {j for j, i in back.items() if i not in given.to_ours}
        self.new_members = [j for j in range(len(given.pegs[1])) if j not in back]
        known = {pair.right for pair in given.to_ours.values()}
        self.upstream_new = [k for k in range(len(given.pegs[2])) if k not in known]
        self.deleted = {pair.right for i, pair in given.to_ours.items() if i not in given.to_theirs}
        self.seated: dict[int, int] = {}  # new member of theirs -> the member of ours that it follows

    def seat(self, member: int) -> Seat | Torn:
        given = self.given
        there = self._already_there(member)
        if there is not None:
            return there
        suspect = self._suspect(member)
        if suspect is not None:
            return suspect
        low, near_low = self._before(member)
        high, near_high = self._after(member)
        if not near_low and not near_high and not self._movable(member):
            return self._refuse(member, ConflictKind.GONE, "the lines on both sides of it are gone upstream")
        if low >= high:
            if not self._movable(member):
                return self._refuse(member, ConflictKind.AMBIGUOUS, "its neighbours stand in another order upstream")
            high = low + 1
        between = [k for k in range(low + 1, high) if k not in self.deleted and not self._is_comment(k)]
        review = ReviewClass.B
        how = "placed by its neighbours"
        after = low
        if self._movable(member):
            after = self._free_seat(member, low, high)
            how = "placed by its key" if given.pegs[1][member].name is not None else how
        elif between:
            if not self._harmless(member, between):
                names = given.strips[2].segments[between[0]].member.word
                reason = f"upstream put {_short(names)} at the same place, and the order matters"
                return self._refuse(member, ConflictKind.AMBIGUOUS, reason)
            review, how = ReviewClass.D, "upstream added a member at the same place; order chosen"
        elif not (near_low and near_high):
            review, how = ReviewClass.D, "placed by the neighbour on one side; the other is gone"
        self.seated[member] = after
        return Seat(member, after, given.below(member).edit(EditFate.CARRIED, review, how))

    def _already_there(self, member: int) -> Seat | Torn | None:
        given = self.given
        peg, pegs = given.pegs[1][member], given.pegs[2]
        if peg.name is not None:
            twins = [k for k in self.upstream_new if pegs[k].name == peg.name]
            if not twins:
                return None
            if len(twins) == 1 and pegs[twins[0]].same == peg.same:
                return self._absorbed(member, twins[0])
            theirs, ours = given.segment(member).body, given.strips[2].segments[twins[0]].body
            reason = "upstream added it with another value"
            return given.below(member).torn(ConflictKind.OTHER_VALUE, reason, theirs=theirs, ours=ours)
        twins = [k for k in self.upstream_new if pegs[k].same == peg.same and k not in self.image.values()]
        low, high = self._before(member)[0], self._after(member)[0]
        inside = [k for k in twins if low < k < high]
        if len(inside) == 1 or (len(twins) == 1 and peg.movable):
            return self._absorbed(member, (inside or twins)[0])
        if not twins or (given.segment(member).member.size < _TELLING_SIZE and not inside):
            return None
        return self._refuse(member, ConflictKind.AMBIGUOUS, "upstream added the same at another place of this list")

    def _absorbed(self, member: int, twin: int) -> Seat:
        self.image[member] = twin
        spot = self.given.below(member)
        return Seat(member, None, spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream added the same"))

    def _suspect(self, member: int) -> Torn | None:
        """Refuse beside a new sibling that is alike but for its name: absorbed and then renamed? A person knows."""
        given = self.given
        mine = given.segment(member).member
        if given.strips[1].layout is not Layout.LINES or mine.size < _SUSPECT_SIZE:
            return None
        if any(_alike(mine, s.member) for s in given.strips[0].segments):
            return None  # a copy of what was there before: likeness says nothing
        for k in self.upstream_new:
            other = given.strips[2].segments[k].member
            if other.kind == mine.kind and k not in self.image.values() and _alike(mine, other):
                reason = f"upstream added {_short(other.word)}, which may be the same under another name"
                return self._refuse(member, ConflictKind.AMBIGUOUS, reason)
        return None

    def _before(self, member: int) -> tuple[int, bool]:
        """Return the nearest surviving member in front, and whether nothing lost stands between."""
        near = True
        for j in range(member - 1, -1, -1):
            if j in self.image:
                return self.image[j], near
            if j in self.seated:
                return self.seated[j], near
            near = False
        return -1, near

    def _after(self, member: int) -> tuple[int, bool]:
        near = True
        for j in range(member + 1, len(self.given.pegs[1])):
            if j in self.image and j not in self.new_members:
                return self.image[j], near
            if j in self.lost:
                near = False
        return len(self.given.pegs[2]), near

    def _free_seat(self, member: int, low: int, high: int) -> int:
        """Choose inside the gap: where a sorted list stays sorted, at the end where the patch appended, else behind."""
        given = self.given
        ours, theirs = given.strips[2], given.strips[1]
        if high == low + 1:
            return low
        words = [_natural(segment.member.word) for segment in ours.segments if not self._comment(segment)]
        known = [_natural(segment.member.word) for segment in theirs.segments if not self._comment(segment)]
        if ours.layout is Layout.SEPARATED and words == sorted(words) and known == sorted(known):
            mine = _natural(given.segment(member).member.word)
            after = low
            for k in range(low + 1, high):
                if not self._is_comment(k) and _natural(ours.segments[k].member.word) < mine:
                    after = k
            return after
        if high == len(ours.segments) and ours.layout is Layout.SEPARATED:
            return high - 1
        return low

    def _harmless(self, member: int, between: Sequence[int]) -> bool:
        """Whether two additions at one place commute well enough for a person to accept one order at a glance."""
        strip = self.given.strips[2]
        if strip.layout is Layout.CHAIN:
            return True
        members = [strip.segments[k].member for k in between] + [self.given.segment(member).member]
        return (
            strip.layout is Layout.SEPARATED
            and strip.node.kind in {"list", "tuple"}
            and all(not m.children for m in members)
        )

    def _refuse(self, member: int, kind: ConflictKind, reason: str) -> Torn:
        return self.given.below(member).torn(kind, reason, theirs=self.given.segment(member).body)

    def _movable(self, member: int) -> bool:
        return self.given.pegs[1][member].movable

    def _is_comment(self, k: int) -> bool:
        return self._comment(self.given.strips[2].segments[k])

    def _comment(self, segment: Segment) -> bool:
        return segment.member.kind == self.given.facts.comment


def _natural(text: str) -> tuple[tuple[int, str], ...]:
    """Sort key of import sorters: numbers inside names count as numbers, so `sm90` stands before `sm100`."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", text) if part)


def _alike(one: Node, two: Node) -> bool:
    """Compare token bags by Dice's coefficient; used to refuse only, never to choose."""
    bags = [Counter(leaf.same for leaf in node.leaves()) for node in (one, two)]
    shared = (bags[0] & bags[1]).total()
    return 2 * shared >= _SUSPECT_SHARE * (bags[0].total() + bags[1].total())


def _short(text: str) -> str:
    return f"`{textwrap.shorten(text, 48, placeholder='…')}`"
