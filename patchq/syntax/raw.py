"""The tree as a parser gives it, and as a language reshapes it before it gets identities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter


@dataclass(slots=True, eq=False)
class Raw:
    """A construct or token at `source[start:end]`, not frozen yet.

    `means` identifies a token by what it says where its text does not; `wrong`: the parser could not read it.
    """

    kind: str
    start: int
    end: int
    children: list[Raw] = field(default_factory=list)
    field: str | None = None
    wrong: bool = False
    means: tuple[object, ...] | None = None

    def child(self, kind: str) -> Raw | None:
        """Return the first child of that kind."""
        return next((child for child in self.children if child.kind == kind), None)

    def walk(self) -> Iterator[Raw]:
        """Yield the node and everything below it, parents first, in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def raw_of(parsed: tree_sitter.Tree, deepest: int) -> Raw | None:
    """Copy the parser's tree in one pass of its cursor; None where it is nested more than `deepest` levels."""
    cursor = parsed.walk()
    levels: list[Raw] = []
    while True:
        at = cursor.node
        if at is None:
            raise ValueError("a cursor without a node")
        made = Raw(at.type, at.start_byte, at.end_byte, field=cursor.field_name, wrong=at.is_error or at.is_missing)
        if levels:
            levels[-1].children.append(made)
        if cursor.goto_first_child():
            levels.append(made)
            if len(levels) > deepest:
                return None
            continue
        while not cursor.goto_next_sibling():
            if not levels:
                return made
            cursor.goto_parent()
            made = levels.pop()


def one_line(source: bytes, start: int, end: int) -> bool:
    """Say whether no line ends between two positions."""
    return b"\n" not in source[start:end]


def leading_comments(members: list[Raw], start: int, source: bytes) -> list[Raw]:
    """Find the comments at the end of `members` that belong to what begins at `start`.

    Those are the ones right above it, and the ones that a blank line sets apart from the members.
    """
    taken: list[Raw] = []
    at = start
    for row in range(len(members) - 1, -1, -1):
        comment = members[row]
        if comment.kind != "comment":
            break
        before = members[row - 1].end if row else comment.start
        above = source.count(b"\n", comment.end, at) == 1
        apart = source.count(b"\n", before, comment.start) > 1
        if not above and not apart:
            break
        taken.insert(0, comment)
        at = comment.start
    return taken
