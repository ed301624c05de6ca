"""The edit script between two trees of one file: what was added, removed or replaced, and at which address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.syntax.anchors import Address
from patchq.syntax.facts import Layout
from patchq.syntax.match import match
from patchq.syntax.members import pegs
from patchq.syntax.strip import strip_of

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.syntax.strip import Segment


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEdit:
    """One edit: `old` is None for an addition, `new` for a removal.

    `address` leads to the member itself where it has a name, else to the smallest named place around it. `named` says
    which. `unit_old` and `unit_new` are the statement (or other member of a block) in which the edit lies.
    """

    address: Address
    named: bool
    old: Node | None
    new: Node | None
    unit_old: Node | None
    unit_new: Node | None


# A unit of this many tokens fits on one or two lines, and a record is read by people.
_UNIT_SIZE = 25


@dataclass(frozen=True, slots=True)
class _Here:
    address: Address
    owner: Node | None
    unit_old: Node | None
    unit_new: Node | None


def edits(old: Node, new: Node, facts: LanguageFacts) -> tuple[TreeEdit, ...]:
    """Compare two nodes of one `Forest` that are one another's counterparts, usually two roots."""
    return tuple(_compare(old, new, _Here(Address(), None, None, None), facts))


def _compare(old: Node, new: Node, here: _Here, facts: LanguageFacts) -> list[TreeEdit]:
    if old.exact == new.exact:
        return []
    if facts.kin(old) != facts.kin(new) or not old.children or not new.children:
        return [_edit(here, old, new)]
    strips = strip_of(old, facts), strip_of(new, facts)
    if strips[0].operator != strips[1].operator:
        return [_edit(here, old, new)]
    left, right = (pegs(strip, here.owner, facts) for strip in strips)
    pairs = match(left, right)
    matched_left = {pair.left for pair in pairs}
    matched_right = {pair.right for pair in pairs}
    lines = strips[0].layout is Layout.LINES
    units = lines and old.kind != facts.wrapper
    found: list[TreeEdit] = []
    for pair in pairs:
        segments = strips[0].segments[pair.left], strips[1].segments[pair.right]
        signature = left[pair.left].signature
        address = here.address.into(None if signature is None else signature.step, old, facts)
        below = _Here(
            address,
            old,
            _unit(here.unit_old, segments[0].member, units),
            _unit(here.unit_new, segments[1].member, units),
        )
        inner = _compare(segments[0].member, segments[1].member, below, facts)
        if not inner and segments[0].comment != segments[1].comment:
            inner = [_edit(below, segments[0].member, segments[1].member)]
        found.extend(inner)
    for index, segment in enumerate(strips[0].segments):
        if index not in matched_left:
            found.append(_lone(here, segment, old, facts, removed=True, units=lines))
    for index, segment in enumerate(strips[1].segments):
        if index not in matched_right:
            found.append(_lone(here, segment, new, facts, removed=False, units=lines))
    return found


def _unit(above: Node | None, member: Node, statement: object) -> Node:
    return member if statement or above is None or above.has_size(_UNIT_SIZE + 1) else above


def _edit(here: _Here, old: Node, new: Node) -> TreeEdit:
    return TreeEdit(address=here.address, named=False, old=old, new=new, unit_old=here.unit_old, unit_new=here.unit_new)


def _lone(
    here: _Here, segment: Segment, container: Node, facts: LanguageFacts, *, removed: bool, units: bool
) -> TreeEdit:
    member = segment.member
    signature = facts.signature(member, container)
    step = None if signature is None else signature.step
    address = here.address.into(step, container, facts)
    unit_old = member if units and removed else here.unit_old
    unit_new = member if units and not removed else here.unit_new
    return TreeEdit(
        address=address,
        named=step is not None and bool(address.steps) and address.steps[-1] == step,
        old=member if removed else None,
        new=None if removed else member,
        unit_old=unit_old,
        unit_new=unit_new,
    )
