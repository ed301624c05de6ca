"""Find the seat of every member that the patch adds: already there, beside its surviving neighbours, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.attempt import ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.ordering import Ordering
from patchq.reapply.presence import renamed, replaced_by_both, rewritten_beside, short, under_condition
from patchq.reapply.render import Above
from patchq.reapply.weave import Torn
from patchq.syntax.facts import Layout, Order
from patchq.syntax.match import Grade

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from patchq.reapply.weave import Spot
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.match import Pair, Peg
    from patchq.syntax.strip import Segment, Strip

# How a neighbour must have been found to hold a place of its own.
_FIRM = {Grade.EXACT, Grade.SAME, Grade.NAMED}

# A statement of this many tokens that stands elsewhere in the same list is no coincidence (cases: double application).
_TELLING_SIZE = 4


@dataclass(frozen=True, slots=True)
class Seat:
    """`member` (of theirs) goes behind member `after` of ours, -1: to the front, None: it is there already."""

    member: int
    after: int | None
    edit: Edit
    above: Above = Above.OWN
    heads: bool = False


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
        self.back = {pair.right: pair.left for pair in given.to_theirs.values()}  # member of theirs -> member of base
        self.image = {
            j: given.to_ours[i].right for j, i in self.back.items() if i in given.to_ours
        }  # member of theirs -> member of ours, through base
        known = {pair.right for pair in given.to_ours.values()}
        self.taken = set(self.image.values())
        self.upstream_new = [k for k in range(len(given.pegs[2])) if k not in known]
        self.lost = {j for j, i in self.back.items() if i not in given.to_ours}
        self.by_name: dict[Hashable, list[int]] = {}
        self.by_same: dict[Hashable, list[int]] = {}
        for k in self.upstream_new:
            self.by_name.setdefault(given.pegs[2][k].name, []).append(k)
            self.by_same.setdefault(given.pegs[2][k].same, []).append(k)
        # There, but in another order.
        self.crossed = {j for j in self.lost if given.pegs[1][j].same in self.by_same}
        self.new_members = [j for j in range(len(given.pegs[1])) if j not in self.back]
        self.deleted = {pair.right for i, pair in given.to_ours.items() if i not in given.to_theirs}
        self.seated: dict[int, int] = {}  # new member of theirs -> the member of ours that it follows
        self.answers: dict[int, Seat | Torn] = {}
        self.order = Ordering(given, self.back, self.deleted)

    def seat(self, member: int) -> Seat | Torn:
        """Seat a member; a comment goes where the new member right below it goes."""
        if member not in self.answers:
            below = self._commented(member)
            self.answers[member] = self._alone(member) if below is None else self._along(member, self.seat(below))
        return self.answers[member]

    def _commented(self, member: int) -> int | None:
        """Return the new member that a new comment, or a block of them, stands right above."""
        segments = self.given.strips[1].segments
        below = member
        while below < len(segments) and self._comment(segments[below]):
            below += 1
            if below == len(segments) or below in self.back or segments[below].lead.count(b"\n") != 1:
                return None
        return below if below > member else None

    def _along(self, comment: int, below: Seat | Torn) -> Seat | Torn:
        there = self._already_there(comment)
        if isinstance(there, Seat):
            return there
        if isinstance(below, Torn):
            return self._alone(comment)
        if below.after is None:
            how = "upstream has what the comment is about, without it"
            return Seat(comment, None, self.given.below(comment).edit(EditFate.ABSORBED, ReviewClass.B, how))
        return self._seated(comment, below.after, below.edit.review, below.edit.how)

    def _alone(self, member: int) -> Seat | Torn:
        given = self.given
        there = self._already_there(member)
        if there is not None:
            return there
        others = [k for k in self.upstream_new if k not in self.taken]
        suspect = rewritten_beside(given, member, self.back) or renamed(given, member, others)
        if suspect is not None:
            return suspect
        low, near_low = self._before(member)
        high, near_high = self._after(member)
        both = replaced_by_both(given, member, (low, high), others)
        if both is not None:
            return both
        if not near_low and not near_high and not self._movable(member):
            return self._refuse(member, ConflictKind.GONE, "the lines on both sides of it are gone upstream")
        if low >= high or {member - 1, member + 1} & self.crossed:
            if not self._movable(member):
                return self._refuse(member, ConflictKind.AMBIGUOUS, "its neighbours stand in another order upstream")
            high = max(high, low + 1)
        return self._in_gap(member, (low, high), near_low=near_low, near_high=near_high)

    def _in_gap(self, member: int, gap: tuple[int, int], *, near_low: bool, near_high: bool) -> Seat | Torn:
        """Seat a member between two members of ours; near: it is the neighbour on that side in the patch too."""
        given = self.given
        low, high = gap
        near = near_low + near_high
        if self._movable(member):
            return self._anywhere(member, gap, near_low=near_low, near_high=near_high)
        between = [k for k in range(low + 1, high) if k not in self.deleted and not self._is_comment(k)]
        if between and near and self.order.only_imports(between):
            # An import does not mind what comes behind it, and upstream's own do without the patch's statement.
            how = "placed by its neighbours, behind the imports that upstream added there"
            return self._seated(member, max(between), ReviewClass.C, how)
        if between and not self._harmless(member, between):
            name = given.strips[2].segments[between[0]].member.word
            reason = f"upstream put {short(name)} at the same place, and the order matters"
            return self._refuse(member, ConflictKind.AMBIGUOUS, reason)
        if between:
            return self._seated(member, low, ReviewClass.D, "upstream added a member at the same place; order chosen")
        if not self._firm(member):
            return self._seated(member, low, ReviewClass.D, "placed by its neighbours; upstream has changed both")
        if near > 1 and self._firm(member, all):
            return self._seated(member, low, ReviewClass.B, "placed by its neighbours")
        if near > 1:
            how = "placed by its neighbours, one of which upstream has changed"
            return self._seated(member, low, ReviewClass.C, how)
        if self._neighbour_moved(member):
            how = "placed by the neighbour on one side; the other one is elsewhere now"
            return self._seated(member, low, ReviewClass.D, how)
        return self._seated(member, low, ReviewClass.C, "placed by the neighbour on one side; the other is gone")

    def _anywhere(self, member: int, gap: tuple[int, int], *, near_low: bool, near_high: bool) -> Seat:
        """Seat a member whose place means nothing where people would put it."""
        given = self.given
        low, high = gap
        after = self.order.seat(member, low, high, near_low=near_low, near_high=near_high)
        how = "placed by its key" if given.pegs[1][member].name is not None else "placed by its neighbours"
        if any(k not in self.deleted and not self._is_comment(k) for k in range(low + 1, high)):
            how += ", where upstream added members too"
        if near_low or near_high:
            return self._seated(member, after, ReviewClass.B, how)
        if self.order.groups(member, after) or self.order.groups(member, after + 1):
            return self._seated(member, after, ReviewClass.C, f"{how}; its neighbours are gone, its group is not")
        return self._seated(member, after, ReviewClass.D, f"{how}; both of its neighbours are gone")

    def _firm(self, member: int, both: Callable[[Iterable[bool]], bool] = any) -> bool:
        """Whether a neighbour was found by what it says or is called, not only by where it stands; an end counts."""
        beside = (self._old_beside(member, -1), self._old_beside(member, 1))
        ends = (-1, len(self.given.pegs[1]))
        return both(j in ends or (j in self.image and self._grade(j) in _FIRM) for j in beside)

    def _grade(self, member: int) -> Grade:
        return self.given.to_ours[self.back[member]].grade

    def _neighbour_moved(self, member: int) -> bool:
        """Whether upstream has the lost neighbour in another list: either of the two may be the one that counts."""
        beside = [j for j in (self._old_beside(member, -1), self._old_beside(member, 1)) if j in self.lost]
        strip, census = self.given.strips[1], self.given.spot.census
        return any(census.stayed(strip.segments[j].member) for j in beside)

    def _old_beside(self, member: int, step: int) -> int:
        j = member + step
        while 0 <= j < len(self.given.pegs[1]) and j not in self.back:
            j += step
        return j

    def _seated(self, member: int, after: int, review: ReviewClass, how: str) -> Seat:
        above = Above.OWN if after == self._before(member)[0] else Above.OTHER
        heads = False
        if self._shares_gap(member):
            above = Above.GROUP if self.order.groups(member, after) else above
            heads = above is not Above.GROUP and self.order.groups(member, after + 1)
        self.seated[member] = after
        return Seat(member, after, self.given.below(member).edit(EditFate.CARRIED, review, how), above, heads)

    def _shares_gap(self, member: int) -> bool:
        """Whether upstream has added a member between the neighbours of the patch's one."""
        low, high = self._before(member)[0], self._after(member)[0]
        return any(k not in self.deleted and not self._is_comment(k) for k in range(low + 1, high))

    def _already_there(self, member: int) -> Seat | Torn | None:
        given = self.given
        peg, pegs = given.pegs[1][member], given.pegs[2]
        if peg.name is not None:
            twins = self.by_name.get(peg.name, [])
            if not twins:
                return None
            equal = [k for k in twins if pegs[k].same == peg.same]
            if len(equal) == 1 and self._elsewhere(member, equal[0]):
                reason = "upstream has it at another place, and the order matters"
                return self._refuse(member, ConflictKind.OTHER_VALUE, reason)
            if len(equal) == 1:
                return self._absorbed(member, equal[0])
            theirs, ours = given.segment(member).body, given.strips[2].segments[twins[0]].body
            reason = "upstream added it with another value"
            return given.below(member).torn(ConflictKind.OTHER_VALUE, reason, theirs=theirs, ours=ours)
        wrapped = under_condition(given, member, self.upstream_new)
        if wrapped is not None:
            return wrapped
        twins = [k for k in self._equal(member) if k not in self.taken]
        low, high = self._before(member)[0], self._after(member)[0]
        inside = [k for k in twins if low < k < high]
        if len(inside) == 1 or (len(twins) == 1 and peg.movable):
            return self._absorbed(member, (inside or twins)[0])
        if not twins or not (self._telling(member) or inside):
            return None
        return self._added_too(member, twins)

    def _equal(self, member: int) -> list[int]:
        """Find the members that upstream has added and that are equal; words by their letters alone.

        A grammar may give one word two kinds, such as the last pattern of an arm in a shell.
        """
        peg, node, strip = self.given.pegs[1][member], self.given.segment(member).member, self.given.strips[2]
        if strip.layout is not Layout.PARTS or node.children or not any(map(str.isalnum, node.word)):
            return self.by_same.get(peg.same, [])
        return [k for k in self.upstream_new if strip.segments[k].body == node.text]

    def _telling(self, member: int) -> bool:
        """Whether it is no coincidence that upstream has added an equal member to the same list.

        A word among words is enough: `vim` in a command, `Copy` in `derive`, one decorator, one pattern of an arm.
        """
        node, layout = self.given.segment(member).member, self.given.strips[1].layout
        if node.has_size(_TELLING_SIZE) or layout is Layout.SEPARATED:
            return True
        attached = self.given.strips[1].node.kind == self.given.facts.wrapper
        word = not node.children and any(map(str.isalnum, node.word))
        return (attached or (word and layout is not Layout.LINES)) and node.kind not in self.given.facts.comments

    def _added_too(self, member: int, twins: Sequence[int]) -> Torn:
        """Refuse what upstream has added to the same list at another place; the conflict shows both."""
        mine, ours = self.given.segment(member).body, self.given.strips[2].segments[twins[0]]
        row = ours.member.source.count(b"\n", 0, ours.member.start) + 1
        reason = f"upstream added the same at another place of this list, line {row}"
        return self.given.below(member).torn(ConflictKind.AMBIGUOUS, reason, theirs=mine, ours=ours.body)

    def _elsewhere(self, member: int, twin: int) -> bool:
        """Whether a named member that may not move (a parameter) has come to another place than the patch gives it."""
        low = self._before(member)[0]
        between = [k for k in range(low + 1, twin) if k not in self.deleted and not self._is_comment(k)]
        return not self._movable(member) and (bool(between) or not low < twin < self._after(member)[0])

    def _absorbed(self, member: int, twin: int) -> Seat:
        self.image[member] = twin
        self.taken.add(twin)
        spot = self.given.below(member)
        return Seat(member, None, spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream added the same"))

    def _before(self, member: int) -> tuple[int, bool]:
        """Return the nearest surviving member in front, and whether nothing lost stands between."""
        near = True
        for j in range(member - 1, -1, -1):
            if j in self.image:
                return self.image[j], near
            if j in self.seated:
                return self.seated[j], near
            near = near and self._commented(j) is not None
        return -1, near

    def _after(self, member: int) -> tuple[int, bool]:
        near = True
        for j in range(member + 1, len(self.given.pegs[1])):
            if j in self.image and j in self.back:
                return self.image[j], near
            if j in self.lost:
                near = False
        return len(self.given.pegs[2]), near

    def _harmless(self, member: int, between: Sequence[int]) -> bool:
        """Whether two additions at one place commute well enough for a person to accept one order at a glance."""
        strip = self.given.strips[2]
        if strip.layout is Layout.CHAIN:
            return True
        order = self.given.facts.order(strip.node, self.given.spot.owner)
        members = [strip.segments[k].member for k in between] + [self.given.segment(member).member]
        unordered = all(order(m) is not Order.ORDERED for m in members)
        return unordered or (strip.node.kind in self.given.facts.elements and all(not m.children for m in members))

    def _refuse(self, member: int, kind: ConflictKind, reason: str) -> Torn:
        return self.given.below(member).torn(kind, reason, theirs=self.given.segment(member).body)

    def _movable(self, member: int) -> bool:
        return self.given.pegs[1][member].movable

    def _is_comment(self, k: int) -> bool:
        return self._comment(self.given.strips[2].segments[k])

    def _comment(self, segment: Segment) -> bool:
        return segment.member.kind in self.given.facts.comments
