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
    roles = Counter(_role(segment.member) for segment in strip.segments)
    made = []
    for segment in strip.segments:
        member = segment.member
        signature = facts.signature(member, strip.node)
        if strip.layout is Layout.PARTS and roles[_role(member)] == 1:
            signature = Signature(Strength.STRONG, _role(member))
        elif strip.layout is Layout.PARTS and signature is None and not member.children:
            signature = Signature(Strength.WEAK, _role(member))
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


def _role(member: Node) -> tuple[str, str]:
    """Name a part of a construct by the grammar: its field, or else its kind."""
    return ("kind", member.kind) if member.field is None else ("field", member.field)
