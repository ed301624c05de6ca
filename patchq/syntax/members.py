"""The members of a construct as matching sees them: identities, signatures, and whether they may move."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patchq.syntax.facts import Layout, Order, Signature, Strength
from patchq.syntax.match import Peg

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.syntax.strip import Strip


def pegs(strip: Strip, owner: Node | None, facts: LanguageFacts) -> tuple[Peg, ...]:
    """Describe the members of a strip for matching."""
    roles = Counter(_role(segment.member, strip) for segment in strip.segments)
    made = []
    for segment in strip.segments:
        member = segment.member
        signature = facts.signature(member, strip.node)
        role = _role(member, strip)
        if strip.layout is Layout.PARTS and roles[role] == 1:
            signature = Signature(Strength.STRONG, role)
        elif strip.layout is Layout.PARTS and signature is None and not member.children:
            signature = Signature(Strength.WEAK, role)
        made.append(
            Peg(
                exact=(member.exact, segment.comment),
                same=member.same,
                kind=member.kind,
                signature=signature,
                movable=facts.order(member, strip.node, owner) is Order.FREE,
            )
        )
    return tuple(made)


def _role(member: Node, strip: Strip) -> tuple[str, str]:
    """Name a part of a construct by the grammar: its field, the token that it is, or its kind.

    The one part of a statement that has no field is its operand whatever kind it is: `return a and b` that upstream
    wrote as `return (…)` still returns its operand.
    """
    if member.field is not None:
        return ("field", member.field)
    if _is_token(member):
        return ("token", member.kind)
    if sum(1 for segment in strip.segments if _is_operand(segment.member)) == 1:
        return ("operand", "")
    return ("kind", member.kind)


def _is_token(node: Node) -> bool:
    return not node.children and node.kind == node.word


def _is_operand(node: Node) -> bool:
    return node.field is None and not _is_token(node) and node.kind != "comment"
