"""The members of a construct as matching sees them: identities, signatures, and whether they may move."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from patchq.syntax.facts import Layout, Order, Signature, Strength
from patchq.syntax.match import Peg

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.syntax.strip import Strip


def pegs(strip: Strip, owner: Node | None, facts: LanguageFacts) -> tuple[Peg, ...]:
    """Describe the members of a strip for matching."""
    if strip.node.pegs is None or strip.node.pegs[0] is not owner:
        strip.node.pegs = owner, _pegs(strip, owner, facts)
    return strip.node.pegs[1]


def _pegs(strip: Strip, owner: Node | None, facts: LanguageFacts) -> tuple[Peg, ...]:
    named = _roles(strip, facts)
    roles = Counter(named)
    order = facts.order(strip.node, owner)
    made = []
    for segment, role in zip_longest(strip.segments, named):
        member = segment.member
        signature = facts.signature(member, strip.node)
        if role is not None and roles[role] == 1:
            signature = Signature(Strength.STRONG, role, None if signature is None else signature.step)
        elif role is not None and signature is None and not member.children:
            signature = Signature(Strength.WEAK, role)
        made.append(
            Peg(
                exact=(member.exact, segment.comment),
                same=member.same,
                kind=facts.kin(member),
                signature=signature,
                movable=order(member) is Order.FREE,
            )
        )
    return tuple(made)


def _roles(strip: Strip, facts: LanguageFacts) -> tuple[tuple[str, str], ...]:
    """Name the parts of a construct by the grammar: by field, as the token that each is, or by kind; none for a list.

    The one part of a statement that has no field is its operand whatever kind it is: `return a and b` that upstream
    wrote as `return (…)` still returns its operand.
    """
    if strip.layout is not Layout.PARTS:
        return ()
    members = [segment.member for segment in strip.segments]
    one_operand = sum(_is_operand(member, facts) for member in members) == 1
    return tuple(
        ("field", member.field)
        if member.field is not None
        else ("token", member.kind)
        if _is_token(member)
        else ("operand", "" if one_operand and _is_operand(member, facts) else member.kind)
        for member in members
    )


def _is_token(node: Node) -> bool:
    return not node.children and node.kind == node.word


def _is_operand(node: Node, facts: LanguageFacts) -> bool:
    return node.field is None and not _is_token(node) and node.kind not in facts.comments
