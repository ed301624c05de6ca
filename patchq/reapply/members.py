"""Merge the members of one construct: what the patch changed, dropped and added, among what upstream has now."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from patchq.model.attempt import Conflict, ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.placing import Placing, Seat, place
from patchq.reapply.render import Fresh, Kept, render
from patchq.reapply.weave import Torn, Woven
from patchq.syntax.facts import Layout
from patchq.syntax.match import Grade, Pair, Peg, match
from patchq.syntax.members import pegs
from patchq.syntax.strip import Segment, Strip, strip_of
from patchq.syntax.tokens import comment_bag

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.reapply.weave import Spot, Weave
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


# Shorter statements stand in one block many times, and nobody means one by its text.
_TELLING_SIZE = 4

REMOVED_TOO = "upstream has removed it too"

# What a member of upstream may be taken for, by how it was found; better grades cost nothing.
_GRADES = {Grade.NEIGHBOURS: ReviewClass.C, Grade.LEFT_OVER: ReviewClass.C, Grade.RENAMED: ReviewClass.E}


class Transplant(Protocol):
    """The recursion into a member, given as a parameter so that the two modules need no circle."""

    def __call__(self, base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts) -> Weave:
        """Carry base -> theirs into ours."""
        ...


@dataclass(slots=True)
class _Work:
    """What has been decided so far; lives inside one call of `weave_members`."""

    kept: dict[int, Kept | None] = field(default_factory=dict)  # member of ours -> its new form, None: dropped
    edits: list[Edit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def note(self, weave: Weave) -> bytes | None:
        match weave:
            case Woven(text, edits):
                self.edits.extend(edits)
                return text
            case Torn(conflicts):
                self.conflicts.extend(conflicts)
                return None


def weave_members(
    base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts, transplant: Transplant
) -> Weave:
    """Merge three nodes of one kind member by member and write the list anew in upstream's style."""
    strips = tuple(strip_of(node, facts) for node in (base, theirs, ours))
    refusal = _operator_changed(strips, spot, facts)
    if refusal is not None:
        return refusal
    strip_base, strip_theirs, strip_ours = strips
    peg_base, peg_theirs, peg_ours = (pegs(strip, spot.owner, facts) for strip in strips)
    to_theirs = {pair.left: pair for pair in match(peg_base, peg_theirs)}
    reserved = _patchs_own(peg_base, peg_theirs, peg_ours, to_theirs)
    to_ours = {pair.left: pair for pair in match(peg_base, peg_ours, reserved=reserved)}
    if _moved_beside(strip_base, peg_base, peg_ours, to_theirs, to_ours):
        return spot.torn(
            ConflictKind.AMBIGUOUS,
            "upstream has the members in another order, and the patch changes one of them",
            base=base.text,
            theirs=theirs.text,
            ours=ours.text,
        )
    if _moves_members(to_theirs):
        return spot.torn(
            ConflictKind.CLASH,
            "the patch moves members, and only their lines can say where to",
            base=base.text,
            theirs=theirs.text,
            ours=ours.text,
        )
    work = _Work()
    given = Placing(
        strips=(strip_base, strip_theirs, strip_ours),
        pegs=(peg_base, peg_theirs, peg_ours),
        to_theirs=to_theirs,
        to_ours=to_ours,
        spot=spot,
        facts=facts,
    )
    _judge_members(given, work, transplant)
    seats = place(given)
    fresh = _seated(seats, strip_theirs, work, spot)
    if work.conflicts:
        return Torn(tuple(work.conflicts))
    if fresh and strip_ours.layout is not strip_theirs.layout:
        return spot.torn(
            ConflictKind.CLASH,
            "upstream writes the list in another way",
            base=base.text,
            theirs=theirs.text,
            ours=ours.text,
        )
    if strip_ours.layout is Layout.LINES and fresh and not _begins_on_its_own_line(strip_ours, facts):
        return spot.torn(
            ConflictKind.CLASH,
            "upstream wrote the block on one line",
            base=base.text,
            theirs=theirs.text,
            ours=ours.text,
        )
    woven = Woven(render(strip_ours, work.kept, fresh, facts), tuple(work.edits))
    if base.kind in facts.compounds and _other_part_changed(strips, to_theirs, to_ours):
        return woven.at_worst(ReviewClass.D)
    return woven


def _patchs_own(
    base: Sequence[Peg], theirs: Sequence[Peg], ours: Sequence[Peg], to_theirs: Mapping[int, Pair]
) -> frozenset[int]:
    """Find the members of ours that the patch adds too, so that nothing else of base is taken for them."""
    back = {pair.right for pair in to_theirs.values()}
    old = {peg.same for peg in base} | {peg.name for peg in base}
    new = {key for j, peg in enumerate(theirs) if j not in back for key in (peg.same, peg.name)} - old - {None}
    return frozenset(k for k, peg in enumerate(ours) if peg.same in new or peg.name in new)


def _judge_members(given: Placing, work: _Work, transplant: Transplant) -> None:
    """Decide about each member of base: what the patch and upstream have made of it."""
    base, theirs, ours = given.strips
    known = {pair.right for pair in given.to_ours.values()}
    elsewhere = {peg.same for k, peg in enumerate(given.pegs[2]) if k not in known}
    for i, segment in enumerate(base.segments):
        peg = given.pegs[0][i]
        if i in given.to_theirs and _left_alone(segment, theirs.segments[given.to_theirs[i].right]):
            continue  # most members: upstream's stands as it is, or is gone
        below = given.spot.into(None if peg.signature is None else peg.signature.step, base.node)
        mine = theirs.segments[given.to_theirs[i].right] if i in given.to_theirs else None
        pair = given.to_ours.get(i)
        if _has_new_twin(i, mine, given):
            reason = "upstream has added the same beside what the patch changes; which of them is meant?"
            twin = below.torn(ConflictKind.AMBIGUOUS, reason, base=segment.body, theirs=mine.body if mine else b"")
            work.conflicts.extend(twin.conflicts)
        elif pair is None and peg.same in elsewhere and (mine is None or mine.member.exact != segment.member.exact):
            reason = "upstream has moved what the patch changes to another place of the list"
            moved = below.torn(ConflictKind.AMBIGUOUS, reason, base=segment.body, theirs=mine.body if mine else b"")
            work.conflicts.extend(moved.conflicts)
        elif pair is None:
            _gone(segment, mine, below, work)
        elif mine is None:
            _dropped(segment, ours.segments[pair.right], pair, below, work, given.facts)
        else:
            least = _least_class(pair, peg, given.pegs[2][pair.right])
            form = _both(segment, mine, ours.segments[pair.right], least, below, work, given.facts, transplant)
            if form is not None:
                work.kept[pair.right] = form


def _left_alone(base: Segment, theirs: Segment) -> bool:
    return base.member.exact == theirs.member.exact and base.comment == theirs.comment


def _seated(seats: Sequence[Seat | Torn], theirs: Strip, work: _Work, spot: Spot) -> dict[int, list[Fresh]]:
    """Note the edits and collect the new members by the member of ours that they follow."""
    fresh: dict[int, list[Fresh]] = {}
    for seat in seats:
        if isinstance(seat, Torn):
            work.conflicts.extend(seat.conflicts)
            continue
        if seat.after is not None and theirs.segments[seat.member].member.errors:
            work.conflicts.extend(_unread(theirs.segments[seat.member], spot))
            continue
        work.edits.append(seat.edit)
        if seat.after is not None:
            fresh.setdefault(seat.after, []).append(Fresh(theirs, seat.member, seat.above, seat.heads))
    return fresh


def _other_part_changed(strips: tuple[Strip, ...], to_theirs: dict[int, Pair], to_ours: dict[int, Pair]) -> bool:
    """Whether upstream changed a part that the patch left: `a.b` to `x.b` there, to `a.c` here; nobody wrote `x.c`."""
    base, theirs, ours = ([segment.member.same for segment in strip.segments] for strip in strips)
    left = [i for i, pair in to_theirs.items() if theirs[pair.right] == base[i]]
    return any(i not in to_ours or ours[to_ours[i].right] != base[i] for i in left)


def _begins_on_its_own_line(strip: Strip, facts: LanguageFacts) -> bool:
    return not strip.segments or facts.opens_line(strip.node.source, strip.segments[0].member.start)


def _least_class(pair: Pair, base: Peg, ours: Peg) -> ReviewClass:
    """Say for how much a member of upstream may be taken that was found between its neighbours.

    Where the two are called differently (an `if` with another condition, an `except` of another type), it may be
    another branch that only stands in the same place: a person should look.
    """
    both_called = base.signature is not None and ours.signature is not None
    if pair.grade is Grade.LEFT_OVER and both_called and base.signature != ours.signature:
        return ReviewClass.D
    return _GRADES.get(pair.grade, ReviewClass.A)


def _has_new_twin(i: int, theirs: Segment | None, given: Placing) -> bool:
    """Whether upstream has more statements equal to one that the patch changes than base had in this list."""
    strip, base = given.strips[0], given.strips[0].segments[i].member
    changed = theirs is None or theirs.member.exact != base.exact
    if not changed or strip.layout is not Layout.LINES:
        return False
    before, _, now = (sum(peg.same == base.same for peg in side) for side in given.pegs)
    return now > before and base.has_size(_TELLING_SIZE)


def _moved_beside(
    strip: Strip, base: Sequence[Peg], ours: Sequence[Peg], to_theirs: Mapping[int, Pair], to_ours: Mapping[int, Pair]
) -> bool:
    """Whether upstream has put members of a list in another order, of which the patch changes one.

    `f(a, b)` that became `f(b, a)`: either of the two may be the one that was moved.
    """
    if strip.layout is not Layout.SEPARATED:
        return False
    taken = {pair.right for pair in to_ours.values()}
    free = {peg.same for k, peg in enumerate(ours) if k not in taken}
    crossed = any(i not in to_ours and not peg.movable and peg.same in free for i, peg in enumerate(base))
    return crossed and any(i in to_ours and pair.grade is not Grade.EXACT for i, pair in to_theirs.items())


def _moves_members(to_theirs: dict[int, Pair]) -> bool:
    """Whether the patch has members of base in another order; a tree in which they may move would not see it."""
    places = [to_theirs[i].right for i in sorted(to_theirs)]
    return any(one > other for one, other in pairwise(places))


def _operator_changed(strips: tuple[Strip, ...], spot: Spot, facts: LanguageFacts) -> Torn | None:
    """Refuse where the patch turns one computation into another that upstream has changed as well."""
    base, theirs, ours = strips
    if base.layout is Layout.CHAIN:
        changed = not base.operator == theirs.operator == ours.operator
    elif base.node.kind in facts.operators:
        changed = _tokens(base) != _tokens(theirs) or _tokens(base) != _tokens(ours)
    else:
        return None
    if not changed:
        return None
    return spot.torn(
        ConflictKind.CLASH,
        "an operator changed on one side and its operands on the other",
        base=base.node.text,
        theirs=theirs.node.text,
        ours=ours.node.text,
    )


def _tokens(strip: Strip) -> tuple[int, ...]:
    return tuple(s.member.same for s in strip.segments if not s.member.children and s.member.kind == s.member.word)


def _gone(base: Segment, theirs: Segment | None, spot: Spot, work: _Work) -> None:
    """Judge a member of which upstream has no counterpart here."""
    if theirs is not None and theirs.member.exact == base.member.exact and theirs.comment == base.comment:
        return
    if spot.census.went_elsewhere(base.member):
        reason = "upstream has moved what the patch changes to another place of the file"
        kind = ConflictKind.AMBIGUOUS if theirs is None else ConflictKind.CLASH
        torn = spot.torn(kind, reason, base=base.body, theirs=b"" if theirs is None else theirs.body)
        work.conflicts.extend(torn.conflicts)
    elif theirs is None:
        work.edits.append(spot.edit(EditFate.ABSORBED, ReviewClass.B, REMOVED_TOO))
    else:
        reason = "upstream no longer has what the patch changes"
        torn = spot.torn(ConflictKind.GONE, reason, base=base.body, theirs=theirs.body)
        work.conflicts.extend(torn.conflicts)


def _unread(segment: Segment, spot: Spot) -> tuple[Conflict, ...]:
    """Refuse to add or drop what the parser has not read."""
    return spot.torn(ConflictKind.CLASH, "the parser cannot read the code there", theirs=segment.body).conflicts


def _dropped(base: Segment, ours: Segment, pair: Pair, spot: Spot, work: _Work, facts: LanguageFacts) -> None:
    """Drop a member of which the patch has no counterpart."""
    if ours.member.errors:
        work.conflicts.extend(_unread(ours, spot))
        return
    more = comment_bag(ours.member, facts) - comment_bag(base.member, facts)
    if ours.member.same == base.member.same and not more and ours.comment in {base.comment, b""}:
        work.kept[pair.right] = None
        review = _GRADES.get(pair.grade, ReviewClass.B)
        work.edits.append(spot.edit(EditFate.CARRIED, review, "removed; upstream has not changed it"))
        return
    torn = spot.torn(ConflictKind.CLASH, "the patch removes what upstream has changed", base=base.body, ours=ours.body)
    work.conflicts.extend(torn.conflicts)


def _both(
    base: Segment,
    theirs: Segment,
    ours: Segment,
    least: ReviewClass,
    spot: Spot,
    work: _Work,
    facts: LanguageFacts,
    transplant: Transplant,
) -> Kept | None:
    """Carry the patch's change of a member into upstream's; None where that is torn."""
    woven = transplant(base.member, theirs.member, ours.member, spot, facts)
    if isinstance(woven, Woven):
        woven = woven.at_worst(least)
    text = work.note(woven)
    trail = _trail(base, theirs, ours, spot, work)
    return None if text is None or trail is None else Kept(text, trail)


def _trail(base: Segment, theirs: Segment, ours: Segment, spot: Spot, work: _Work) -> bytes | None:
    """Merge the comment behind a member, as one value."""
    if base.comment == theirs.comment:
        return ours.trail
    if ours.comment == theirs.comment:
        work.edits.append(spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream has the same comment"))
        return ours.trail
    if ours.comment == base.comment:
        work.edits.append(spot.edit(EditFate.CARRIED, ReviewClass.B, "comment on the same line"))
        return theirs.trail
    torn = spot.torn(
        ConflictKind.CLASH,
        "both changed the comment on this line",
        base=base.comment,
        theirs=theirs.comment,
        ours=ours.comment,
    )
    work.conflicts.extend(torn.conflicts)
    return None
