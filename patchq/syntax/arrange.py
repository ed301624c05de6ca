"""Constructs arranged as a reader sees them: comments in their blocks, definitions wrapped, synthetic groups made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from patchq.syntax.node import Node, column, starts_line

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts


class Maker(Protocol):
    """Makes nodes and gives them their identities."""

    def node(self, kind: str, role: str | None, start: int, end: int, kids: tuple[Node, ...], errors: int) -> Node:
        """Make a node of parts that are in their places."""
        ...

    def arranged(self, kind: str, role: str | None, start: int, end: int, kids: list[Node]) -> Node:
        """Make a node of parts that are still to be arranged."""
        ...


@dataclass(frozen=True, slots=True)
class Arranger:
    """Arranges the parts of one text's nodes; what it makes anew, `maker` makes."""

    source: bytes
    facts: LanguageFacts
    maker: Maker

    def arranged(self, kind: str, children: list[Node]) -> list[Node]:
        """Return the parts of a node of `kind`, given those that the parser found."""
        facts = self.facts
        if facts.offside and facts.shape is None:
            children = self._rehome(children)
        if kind in facts.groups:
            children = self._group(kind, children)
        if kind != facts.wrapper and (kind in facts.blocks or kind in facts.lists):
            children = self._bundled(children)
        return children

    def _bundled(self, children: list[Node]) -> list[Node]:
        """Put definitions into the wrapper, with the attributes and the comments that stand right above them."""
        facts = self.facts
        bundled: list[Node] = []
        above: list[Node] = []
        for child in children:
            if child.kind in facts.leads or (facts.leads_comments and child.kind in facts.comments):
                if above and not self._right_above(above[-1], child):
                    bundled.extend(above)
                    above = []
                if above or child.kind in facts.leads or starts_line(self.source, child.start):
                    above.append(child)
                else:
                    bundled.append(child)
                continue
            attributed = any(lead.kind in facts.leads for lead in above)
            if above and not (self._right_above(above[-1], child) and (attributed or child.kind in facts.wrapped)):
                bundled.extend(above)
                above = []
            wrap = bool(above) or child.kind in facts.wrapped
            bundled.append(self._wrap((*above, child)) if wrap else child)
            above = []
        return [*bundled, *above]

    def _right_above(self, one: Node, other: Node) -> bool:
        return one.kind in self.facts.leads or self.source[one.end : other.start].count(b"\n") == 1

    def _wrap(self, children: tuple[Node, ...]) -> Node:
        *above, child = children
        kids = (*above, child.in_role("definition"))
        return self.maker.node(self.facts.wrapper, child.field, kids[0].start, child.end, kids, 0)

    def _group(self, kind: str, children: list[Node]) -> list[Node]:
        group = self.facts.groups[kind]
        first = next((i + 1 for i, child in enumerate(children) if group.after in {child.kind, child.field}), None)
        if first is None:
            return children
        if group.opener:
            first = next((i for i, child in enumerate(children) if i >= first and child.kind == group.opener), None)
        else:
            while first < len(children) and self._beside(children, first):
                first += 1
        last = next((i for i, child in enumerate(children) if first and i >= first and child.kind in group.ends), None)
        members = () if first is None else tuple(children[first:last])
        if not members:
            return children
        made = self.maker.arranged(group.kind, "members", members[0].start, members[-1].end, list(members))
        return [*children[:first], made, *(() if last is None else children[last:])]

    def _beside(self, children: list[Node], at: int) -> bool:
        """Whether a comment stands on the line of the token before it."""
        here = children[at]
        return here.kind in self.facts.comments and b"\n" not in self.source[children[at - 1].end : here.start]

    def _rehome(self, children: list[Node]) -> list[Node]:
        """Put comments into the block in which they are written; tree-sitter leaves some beside it."""
        if not any(child.kind in self.facts.comments for child in children):
            return children
        homed: list[Node] = []
        for child in children:
            if child.kind in self.facts.comments and homed:
                moved = self._into_block(homed[-1], child)
                if moved is not None:
                    homed[-1] = moved
                    continue
            if child.kind in self.facts.blocks and child.children:
                lead: list[Node] = []
                while homed and homed[-1].kind in self.facts.comments and starts_line(self.source, homed[-1].start):
                    lead.insert(0, homed.pop())
                if lead:
                    kids = (*lead, *child.children)
                    child = self.maker.node(child.kind, child.field, lead[0].start, child.end, kids, 0)  # noqa: PLW2901 - the same child, completed
            homed.append(child)
        return homed

    def _into_block(self, node: Node, comment: Node) -> Node | None:
        """Return `node` with `comment` at the end of its last block, or None where it does not belong there."""
        if not node.children:
            return None
        last = node.children[-1]
        inner = self._into_block(last, comment)
        if inner is None and node.kind in self.facts.blocks:
            own_line = starts_line(self.source, comment.start)
            deep_enough = column(self.source, comment.start) >= column(self.source, node.start)
            beside = b"\n" not in self.source[last.end : comment.start]
            if (own_line and deep_enough) or (not own_line and beside):
                return self.maker.node(node.kind, node.field, node.start, comment.end, (*node.children, comment), 0)
        if inner is None:
            return None
        return self.maker.node(node.kind, node.field, node.start, inner.end, (*node.children[:-1], inner), 0)


def operands(kind: str, kids: tuple[Node, ...]) -> list[Node]:
    """Flatten `a and b and c`, which the grammar nests to the left, into operator, operands and comments."""
    operator = next((kid for kid in kids if kid.field == "operator"), None)
    if operator is None:
        return list(kids)
    flat: list[Node] = [operator]
    for kid in kids:
        if kid is operator:
            continue
        nested = kid.kind == kind and kid is kids[0]
        inner = next((k for k in kid.children if k.field == "operator"), None) if nested else None
        if inner is not None and inner.same == operator.same:
            flat.extend(operands(kind, kid.children)[1:])
        else:
            flat.append(kid)
    return flat
