"""A block as its lines of code: each statement and each head of a compound one, wherever it is nested, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.syntax.anchors import Address
from patchq.syntax.node import Node, indentation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.syntax.facts import LanguageFacts

_BLANK = ""
_HEAD = "head of "


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One or more physical lines `source[start:end]`, from the first indentation to before the last line end.

    `parts` are the statements, heads and comments on them (none on a blank line), `address` is where the first of them
    stands. `same` is equal for rows that say the same, at any indentation; `kind` names the first part. `depth` counts
    the blocks around it, which in most languages its indentation need not tell.
    """

    source: bytes
    start: int
    end: int
    parts: tuple[Node, ...]
    address: Address
    same: tuple[int, ...]
    kind: str
    depth: int = 0

    @property
    def text(self) -> bytes:
        """The bytes, with the first indentation and without the last line end."""
        return self.source[self.start : self.end]

    @property
    def indent(self) -> bytes:
        """The white space that it begins with."""
        return indentation(self.source, self.parts[0].start) if self.parts else b""

    @property
    def blank(self) -> bool:
        """Whether nothing stands on it."""
        return not self.parts


@dataclass(slots=True)
class Heads:
    """Identities for heads of compound statements, which are no nodes of a tree; shared by outlines that compare."""

    _ids: dict[tuple[str, tuple[int, ...], str], int] = field(default_factory=dict)

    def head(self, owner: Node, parts: tuple[Node, ...]) -> Node:
        """Make a node of the parts of `owner` before a block; its identities are negative, so they meet no node's."""
        kind = f"{_HEAD}{owner.kind}"
        same = self._ids.setdefault((kind, tuple(part.same for part in parts), "same"), -2 - 2 * len(self._ids))
        exact = self._ids.setdefault((kind, tuple(part.exact for part in parts), "exact"), -3 - 2 * len(self._ids))
        return Node(
            kind,
            None,
            owner.source,
            parts[0].start,
            parts[-1].end,
            parts,
            same,
            exact,
            sum(part.errors for part in parts),
        )


def is_head(part: Node) -> bool:
    """Whether a part of a row is the head of a compound statement."""
    return part.kind.startswith(_HEAD)


def outline(block: Node, address: Address, facts: LanguageFacts, heads: Heads) -> tuple[Row, ...] | None:
    """Cut a block of statements into rows; None where code stands outside of them, so that rows would lose it.

    A named definition is one row, wherever it stands: code does not move between definitions unnoticed.
    """
    cutter = _Cutter(facts, heads)
    return _rows(block.source, list(cutter.members(block, address, 0)))


@dataclass(frozen=True, slots=True)
class _Part:
    node: Node
    address: Address
    depth: int


@dataclass(frozen=True, slots=True)
class _Cutter:
    facts: LanguageFacts
    heads: Heads

    def members(self, block: Node, address: Address, depth: int) -> Iterator[_Part]:
        for child in block.opened().children:
            signature = self.facts.signature(child, block)
            below = address.into(None if signature is None else signature.step, block, self.facts)
            named = signature is not None and signature.step is not None
            if child.kind == self.facts.wrapper or (named and self.holds_block(child)):
                yield _Part(child, below, depth)
            else:
                yield from self.parts(child, below, depth)

    def parts(self, node: Node, address: Address, depth: int) -> Iterator[_Part]:
        """Yield a statement as it is, or a compound one as its heads and what stands in its blocks."""
        if not self.holds_block(node):
            yield _Part(node, address, depth)
            return
        if node.kind in self.facts.blocks:
            yield from self.members(node, address, depth + 1)
            return
        head: list[Node] = []
        for child in node.children:
            if not self.holds_block(child):
                head.append(child)
                continue
            if head:
                yield _Part(self.heads.head(node, tuple(head)), address, depth)
                head = []
            yield from self.parts(child, address, depth)
        if head:
            yield _Part(self.heads.head(node, tuple(head)), address, depth)

    def holds_block(self, node: Node) -> bool:
        """Whether statements stand on lines of their own inside `node`; those inside a list do not count."""
        if node.kind in self.facts.blocks:
            return True
        inner = (child for child in node.children if child.children and child.kind not in self.facts.lists)
        return any(self.holds_block(child) for child in inner)


def _rows(source: bytes, parts: list[_Part]) -> tuple[Row, ...] | None:
    """Join the parts that share a physical line, and fill what is between with blank rows."""
    rows: list[Row] = []
    group: list[_Part] = []
    for part in parts:
        if group and b"\n" in source[group[-1].node.end : part.node.start]:
            rows.append(_row(source, group))
            group = []
        group.append(part)
    if group:
        rows.append(_row(source, group))
    out: list[Row] = []
    for row in rows:
        if out:
            between = source[out[-1].end : row.start]
            if between.strip():
                return None
            out.extend(_blanks(source, out[-1].end + 1, row.start))
        if source[row.start : row.parts[0].start].strip() or source[row.parts[-1].end : row.end].strip(b" \t\r;"):
            return None
        out.append(row)
    return tuple(out)


def _row(source: bytes, group: list[_Part]) -> Row:
    first, last = group[0].node, group[-1].node
    end = source.find(b"\n", last.end)
    return Row(
        source=source,
        start=source.rfind(b"\n", 0, first.start) + 1,
        end=len(source) if end < 0 else end,
        parts=tuple(part.node for part in group),
        address=group[0].address,
        same=tuple(part.node.same for part in group),
        kind=first.kind,
        depth=group[0].depth,
    )


def _blanks(source: bytes, start: int, end: int) -> Iterator[Row]:
    at = start
    while at < end:
        stop = source.find(b"\n", at, end)
        stop = end if stop < 0 else stop
        yield Row(source=source, start=at, end=stop, parts=(), address=Address(), same=(), kind=_BLANK)
        at = stop + 1
