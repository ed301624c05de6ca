"""Whether upstream may have what the patch adds in another shape: behind a condition, under another name, rewritten."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from patchq.model.attempt import ConflictKind
from patchq.syntax.facts import Layout
from patchq.syntax.residue import leaves, residue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.reapply.placing import Placing
    from patchq.reapply.weave import Torn
    from patchq.syntax.node import Node

# `pass` and `return x` say nothing; `setup()` and `x = 1` do, right beside the place.
_SAYING_SIZE = 3
# An `if` with a test and a `return` has seven tokens: enough to be known again in the statement beside it.
_GUARD_SIZE = 4
# From this size on, a new sibling with mostly the same tokens may be the patch's own work under another name.
_SUSPECT_SIZE = 12
_SUSPECT_SHARE = 0.6


def under_condition(given: Placing, member: int, upstream_new: Sequence[int]) -> Torn | None:
    """Find the member inside a new sibling: `if flag: ...` around it is not what the patch does."""
    mine, census = given.segment(member).member, given.spot.census
    if given.strips[1].layout is not Layout.LINES or not mine.has_size(_SAYING_SIZE):
        return None
    for k in upstream_new:
        other = given.strips[2].segments[k].member
        inside = other.kind != given.facts.wrapper and other.same != mine.same
        # The census is asked last: it reads all three texts.
        if inside and any(node.same == mine.same for node in other.walk()) and census.gained(mine):
            reason = f"upstream has it too, under {short(other.word)}"
            below = given.below(member)
            return below.torn(ConflictKind.OTHER_VALUE, reason, theirs=mine.text, ours=other.text)
    return None


def renamed(given: Placing, member: int, others: Sequence[int]) -> Torn | None:
    """Refuse beside a new sibling that is alike but for its name: absorbed and then renamed? A person knows."""
    mine = given.segment(member).member
    if given.strips[1].layout is not Layout.LINES or not mine.has_size(_SUSPECT_SIZE):
        return None
    for k in others:
        other = given.strips[2].segments[k].member
        if other.kind == mine.kind and alike(mine, other):
            if any(alike(mine, segment.member) for segment in given.strips[0].segments):
                return None  # a copy of what was there before: likeness says nothing
            reason = f"upstream added {short(other.word)}, which may be the same under another name"
            return given.below(member).torn(ConflictKind.AMBIGUOUS, reason, theirs=mine.text, ours=other.text)
    return None


def rewritten_beside(given: Placing, member: int, back: Mapping[int, int]) -> Torn | None:
    """Refuse beside a statement to which upstream has added about the same tokens, such as an equivalent guard.

    `back` leads from members of theirs to those of base.
    """
    mine = given.segment(member).member
    if given.strips[1].layout is not Layout.LINES or not mine.has_size(_GUARD_SIZE):
        return None
    bag = _bag(mine)
    for j in (member - 1, member + 1):
        i = back.get(j)
        if i is None or i not in given.to_ours:
            continue
        old, new = given.strips[0].segments[i].member, given.strips[2].segments[given.to_ours[i].right].member
        if _share(bag, _gain(old, new)) >= _SUSPECT_SHARE:
            reason = f"upstream has written {short(new.word)} beside it, which may do the same"
            below = given.below(member)
            return below.torn(ConflictKind.OTHER_VALUE, reason, base=old.text, theirs=mine.text, ours=new.text)
    return None


def replaced_by_both(given: Placing, member: int, gap: tuple[int, int], others: Sequence[int]) -> Torn | None:
    """Refuse where the patch puts one member in the place of one that upstream has put one in the place of, too.

    `gap` are the members of ours between which `member` belongs, `others` those that upstream has added. Each of the
    two has changed a key or an argument; carried, the patch's would stand beside what it was to replace.
    """
    base, theirs, ours = given.strips
    back = {pair.right: i for i, pair in given.to_theirs.items()}
    alone = (member == 0 or member - 1 in back) and (member + 1 == len(theirs.segments) or member + 1 in back)
    old = range(back.get(member - 1, -1) + 1, back.get(member + 1, len(base.segments)))
    new = range(gap[0] + 1, gap[1])
    if not alone or len(old) != 1 or len(new) != 1 or new[0] not in others:
        return None
    if old[0] in given.to_theirs or old[0] in given.to_ours:
        return None
    return given.below(member).torn(
        ConflictKind.CLASH,
        "both have put another in the place of the same one",
        base=base.segments[old[0]].body,
        theirs=theirs.segments[member].body,
        ours=ours.segments[new[0]].body,
    )


def short(text: str) -> str:
    """Quote code in a message."""
    return f"`{textwrap.shorten(text, 48, placeholder='…')}`"


def alike(one: Node, two: Node) -> bool:
    """Compare by tokens; used to refuse only, never to choose."""
    return _share(_bag(one), _bag(two)) >= _SUSPECT_SHARE


def _bag(node: Node) -> Counter[int]:
    return Counter(leaf.same for leaf in node.tokens())


def _gain(old: Node, new: Node) -> Counter[int]:
    """Count the tokens that one node has more of than another."""
    sides = residue(old, new, inside=lambda node: node.opened())
    less, more = (Counter(leaf.same for leaf in leaves(side) if leaf.whole is None) for side in sides)
    return more - less


def _share(one: Counter[int], two: Counter[int]) -> float:
    """Dice's coefficient of two bags, 0 to 1."""
    both = one.total() + two.total()
    return 2 * (one & two).total() / both if both else 0.0
