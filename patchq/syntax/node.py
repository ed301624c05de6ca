"""The tree that every language is read into: nodes with byte spans and two identities that compare across texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.match import Peg
    from patchq.syntax.strip import Strip


@dataclass(slots=True, eq=False)
class Node:
    """A construct, a token or a comment at `source[start:end]`.

    `same` is equal for two nodes of one `Forest` iff they are equal apart from comments, white space, quotes, optional
    commas and grouping brackets; `exact` iff their comments are equal too. `size` counts tokens, `errors` the places
    that the parser could not read. `field` is the grammar's name for the role in the parent. `whole` reads the inside
    of a node that was taken as one token because no text of the case has touched it. `bare` is the text without
    comments where there are any. `strip` and `pegs` (with the owner that they are for) are kept by those who make them:
    rungs and gates look at one list up to eight times.

    Nobody changes a node: it is not frozen only because its inside, and its size, are found out when first asked for.
    Most of a file is never looked into, and a frozen dataclass takes 2.3 us to make where this takes 0.9.
    """

    kind: str
    field: str | None
    source: bytes
    start: int
    end: int
    inside: tuple[Node, ...] | Callable[[], tuple[Node, ...]]
    same: int
    exact: int
    errors: int
    whole: Callable[[], Node] | None = None
    bare: bytes | None = None
    strip: Strip | None = None
    pegs: tuple[Node | None, tuple[Peg, ...]] | None = None
    _size: int = -1

    @property
    def children(self) -> tuple[Node, ...]:
        """The parts, in source order."""
        inside = self.inside
        if not isinstance(inside, tuple):
            inside = self.inside = inside()
        return inside

    @property
    def size(self) -> int:
        """Count the tokens."""
        if self._size < 0:
            if self.whole is not None:
                self._size = len(self.text.split())
            elif self.children:
                self._size = sum(child.size for child in self.children)
            else:
                self._size = int(self.end > self.start)
        return self._size

    def has_size(self, least: int) -> bool:
        """Whether it has that many tokens; a class is not read through for that."""
        if self._size >= 0 or self.whole is not None:
            return self.size >= least
        count = 0
        stack = [self]
        while stack and count < least:
            node = stack.pop()
            if node.whole is not None or not node.children:
                count += node.size
            else:
                stack.extend(node.children)
        return count >= least

    def in_role(self, field: str) -> Node:
        """Return the same node with another role in its parent."""
        return replace(self, field=field)

    @property
    def text(self) -> bytes:
        """The bytes of the node."""
        return self.source[self.start : self.end]

    @property
    def word(self) -> str:
        """The text, decoded for keys and messages; never fails."""
        return self.text.decode("utf-8", "replace")

    def child(self, field: str) -> Node | None:
        """Return the first child with that role."""
        return next((child for child in self.children if child.field == field), None)

    def leaves(self) -> Iterator[Node]:
        """Yield tokens and comments in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.children:
                stack.extend(reversed(node.children))
            else:
                yield node

    def opened(self) -> Node:
        """Return the node with its inside."""
        return self if self.whole is None else self.whole()

    def closed(self) -> Iterator[Node]:
        """Yield the nodes below whose inside was left unread, the outermost ones."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.whole is not None:
                yield node
            else:
                stack.extend(reversed(node.children))

    def tokens(self) -> Iterator[Node]:
        """Yield all tokens and comments, those of what was left unread too."""
        stack = [self]
        while stack:
            node = stack.pop()
            if node.whole is not None:
                stack.append(node.whole())
            elif node.children:
                stack.extend(reversed(node.children))
            else:
                yield node

    def walk(self) -> Iterator[Node]:
        """Yield the node and everything below it, parents first, in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def _none() -> list[tuple[int, int]]:
    return []


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A parsed text with the facts of its language; `stubs` finds the bodies of which all that is asked is known."""

    root: Node
    facts: LanguageFacts
    stubs: Callable[[], list[tuple[int, int]]] = _none

    def reduced(self) -> bytes:
        """Return the text with `...` for each body at `stubs`; lines stay lines.

        A body that binds names of the module stays (`global`).
        """
        out: list[bytes] = []
        at = 0
        for start, end in self.stubs():
            body = self.source[start:end]
            if b"global" not in body:
                out += (self.source[at:start], b"...", b"\n" * body.count(b"\n"))
                at = end
        return b"".join((*out, self.source[at:]))

    @property
    def source(self) -> bytes:
        """The whole text."""
        return self.root.source


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is no tree; a phrase for `explain`."""

    reason: str


def column(source: bytes, position: int) -> int:
    """Count the bytes between the start of the line and `position`."""
    return position - (source.rfind(b"\n", 0, position) + 1)


def starts_line(source: bytes, position: int) -> bool:
    """Say whether only white space stands before `position` on its line."""
    line_start = source.rfind(b"\n", 0, position) + 1
    return not source[line_start:position].strip()


def indentation(source: bytes, position: int) -> bytes:
    """Return the white space at the start of the line that holds `position`."""
    line_start = source.rfind(b"\n", 0, position) + 1
    line = source[line_start:position]
    return line[: len(line) - len(line.lstrip(b" \t"))]
