"""A list as a strip of segments that cover every byte between its brackets, so that it can be written again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.syntax.facts import Layout
from patchq.syntax.node import starts_line

if TYPE_CHECKING:
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One member with what stands around it, in source order: `lead + body + middle + separator + trail`.

    `lead` is white space (and, in a chain, the operator) before the member; `trail` is a comment on the same line with
    the blanks before it. `comment` is that comment alone. A comment on a line of its own is a member itself.
    """

    member: Node
    lead: bytes
    middle: bytes = b""
    separator: bytes = b""
    trail: bytes = b""

    @property
    def body(self) -> bytes:
        """The member's own bytes."""
        return self.member.text

    @property
    def comment(self) -> bytes:
        """The comment behind the member on its line, empty if there is none."""
        return self.trail.strip()

    @property
    def data(self) -> bytes:
        """All bytes of the segment."""
        return self.lead + self.body + self.middle + self.separator + self.trail


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A node cut into `opening`, segments and `closing`: joined, they are the node's text."""

    node: Node
    layout: Layout
    opening: bytes
    segments: tuple[Segment, ...]
    closing: bytes
    operator: bytes = b""

    @property
    def multi_line(self) -> bool:
        """Whether any member begins a line of its own."""
        return any(b"\n" in segment.lead for segment in self.segments)

    @property
    def bracketed(self) -> bool:
        """Whether a bracket opens the list."""
        return bool(self.opening.strip())


def strip_of(node: Node, facts: LanguageFacts) -> Strip:
    """Cut `node` into segments as its layout says; law: the parts joined give `node.text`."""
    if node.strip is None:
        node.strip = _cut(node, facts)
    return node.strip


def _cut(node: Node, facts: LanguageFacts) -> Strip:
    if node.errors and any(kid.errors and kid.start == kid.end for kid in node.children):
        # A bracket or comma that the parser only supposed (`-> (A {`) is not there to be counted or written.
        return _parts(node)
    match facts.layout(node):
        case Layout.SEPARATED:
            return _separated(node, facts)
        case Layout.LINES:
            return _lines(node, facts)
        case Layout.CHAIN:
            return _chain(node, facts)
        case Layout.PARTS:
            return _parts(node)


def _separated(node: Node, facts: LanguageFacts) -> Strip:
    kids = list(node.children)
    opened = bool(kids) and not kids[0].children and kids[0].kind in facts.brackets
    closed = len(kids) > int(opened) and not kids[-1].children and kids[-1].kind in facts.brackets
    start = kids[0].end if opened else node.start
    stop = kids[-1].start if closed else node.end
    segments: list[Segment] = []
    at = start
    inner = kids[int(opened) : len(kids) - int(closed)]
    for number, kid in enumerate(inner):
        between = node.source[at : kid.start]
        last = segments[-1] if segments else None
        if kid.kind == "," and last is not None and not last.separator:
            # A comment before its comma would be written behind it again: it goes into the middle.
            middle = last.middle + last.trail + between
            segments[-1] = Segment(member=last.member, lead=last.lead, middle=middle, separator=b",")
        elif _before_comma(inner, number, facts) and last is not None and not last.separator:
            segments[-1] = replace(last, middle=last.middle + between + kid.text)
        elif (
            kid.kind in facts.comments
            and last is not None
            and b"\n" not in between
            and not last.trail
            and (number + 1 == len(inner) or b"\n" in node.source[kid.end : inner[number + 1].start])
        ):
            trail = between + kid.text
            segments[-1] = Segment(
                member=last.member, lead=last.lead, middle=last.middle, separator=last.separator, trail=trail
            )
        else:
            segments.append(Segment(member=kid, lead=between))
        at = kid.end
    return Strip(
        node=node,
        layout=Layout.SEPARATED,
        opening=node.source[node.start : start],
        segments=tuple(segments),
        closing=node.source[at:stop] + node.source[stop : node.end],
    )


def _before_comma(kids: list[Node], at: int, facts: LanguageFacts) -> bool:
    """Whether a comment stands between a member and its comma."""
    if kids[at].kind not in facts.comments:
        return False
    behind = next((kid for kid in kids[at + 1 :] if kid.kind not in facts.comments), None)
    return behind is not None and behind.kind == ","


def _lines(node: Node, facts: LanguageFacts) -> Strip:
    kids = node.children
    opened, closed = _enclosed(kids, facts)
    start = kids[0].end if opened else kids[0].start if kids else node.start
    if opened and kids[1].kind in facts.comments and not starts_line(node.source, kids[1].start):
        # What is said beside the bracket belongs to the head of the block.
        opened, start = 2, kids[1].end
    segments: list[Segment] = []
    at = start
    for kid in kids[opened : len(kids) - closed]:
        between = node.source[at : kid.start]
        last = segments[-1] if segments else None
        beside = not starts_line(node.source, kid.start)
        if last is None or last.trail:
            segments.append(Segment(member=kid, lead=between))
        elif kid.kind in facts.separators and not kid.children and not last.separator:
            segments[-1] = replace(last, middle=between, separator=kid.text)
        elif kid.kind in facts.comments and beside:
            segments[-1] = replace(last, trail=between + kid.text)
        else:
            segments.append(Segment(member=kid, lead=between))
        at = kid.end
    return Strip(
        node=node,
        layout=Layout.LINES,
        opening=node.source[node.start : start],
        segments=tuple(segments),
        closing=node.source[at : node.end],
    )


def _enclosed(kids: tuple[Node, ...], facts: LanguageFacts) -> tuple[int, int]:
    """Count the brackets at both ends of a block: none, or one each."""
    both = len(kids) > 1 and all(not kid.children and kid.kind in facts.brackets for kid in (kids[0], kids[-1]))
    return (1, 1) if both else (0, 0)


def _chain(node: Node, facts: LanguageFacts) -> Strip:
    operator = node.child("operator")
    operands = _chain_operands(node, facts, operator)
    segments = []
    at = node.start
    for operand in operands:
        segments.append(Segment(member=operand, lead=node.source[at : operand.start]))
        at = operand.end
    return Strip(
        node=node,
        layout=Layout.CHAIN,
        opening=b"",
        segments=tuple(segments),
        closing=node.source[at : node.end],
        operator=operator.text if operator is not None else b"",
    )


def _chain_operands(node: Node, facts: LanguageFacts, operator: Node | None) -> list[Node]:
    operands: list[Node] = []
    for index, kid in enumerate(node.children):
        if kid.field == "operator" or kid.kind in facts.comments:
            continue
        nested = kid.child("operator") if index == 0 and kid.kind == node.kind else None
        if nested is not None and operator is not None and nested.same == operator.same:
            operands.extend(_chain_operands(kid, facts, operator))
        else:
            operands.append(kid)
    return operands


def _parts(node: Node) -> Strip:
    segments = []
    at = node.start
    for kid in node.children:
        segments.append(Segment(member=kid, lead=node.source[at : kid.start]))
        at = kid.end
    return Strip(
        node=node, layout=Layout.PARTS, opening=b"", segments=tuple(segments), closing=node.source[at : node.end]
    )
