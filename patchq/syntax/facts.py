"""Facts about a language, as data: which nodes are lists, blocks and chains, and what their members are called."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from patchq.syntax.node import indentation, starts_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from patchq.model.anchor import Step
    from patchq.syntax.node import Node
    from patchq.syntax.raw import Raw


_DASHES = re.compile(rb"[ \t]*(?:[-?] +)*")


class Order(Enum):
    """Whether the place of a member in its list means something."""

    ORDERED = "ordered"  # statements, positional arguments, list elements
    FREE = "free"  # dict entries, keyword arguments, imported names, members of a class


class Strength(Enum):
    """How far a signature identifies its node."""

    STRONG = "strong"  # names the node wherever it stands in its list
    WEAK = "weak"  # tells it from its neighbours only


@dataclass(frozen=True, slots=True)
class Signature:
    """What a node is called among its siblings; `step` is how an anchor names it, None where it cannot."""

    strength: Strength
    key: tuple[str, ...]
    step: Step | None = None


class Layout(Enum):
    """How the members of a list are written one after another."""

    SEPARATED = "separated"  # between brackets, with commas
    LINES = "lines"  # a line (or more) each, at one indentation
    CHAIN = "chain"  # operands joined by one operator
    PARTS = "parts"  # everything else: the parts of one construct


@dataclass(frozen=True, slots=True)
class Group:
    """Children behind the token `after` become one synthetic child of kind `kind`."""

    after: str
    kind: str


def _no_signature(node: Node, parent: Node) -> Signature | None:
    del node, parent
    return None


def _ordered(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    del container, owner
    return lambda _: Order.ORDERED


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageFacts:
    """One language. Kinds are those of its tree-sitter grammar and the synthetic ones of `groups` and `wrapper`."""

    name: str
    suffixes: tuple[bytes, ...]
    root: str
    comment: str = "comment"
    blanks: frozenset[str] = frozenset()  # nodes that are white space to a reader
    brackets: frozenset[str] = frozenset({"(", ")", "[", "]", "{", "}"})
    lists: frozenset[str] = frozenset()  # members with commas between them
    commaed: frozenset[str] = frozenset()  # lists that need a comma even behind a single member
    blocks: frozenset[str] = frozenset()
    chains: frozenset[str] = frozenset()
    transparent: frozenset[str] = frozenset()  # brackets that only group
    strings: frozenset[str] = frozenset()  # one token each, unless a `hole` is inside
    hole: str = "interpolation"
    alike: Mapping[str, str] = field(default_factory=dict)  # kinds that differ in how they are written only
    groups: Mapping[str, Group] = field(default_factory=dict)
    wrapped: frozenset[str] = frozenset()  # always put into a `wrapper`, decorated or not
    wrapper: str = ""
    operators: frozenset[str] = frozenset()  # constructs that a changed token turns into another computation
    compounds: frozenset[str] = frozenset()  # expressions whose parts mean something only together
    signature: Callable[[Node, Node], Signature | None] = _no_signature  # (member, its container)
    order: Callable[[Node, Node | None], Callable[[Node], Order]] = _ordered  # (container, what it belongs to): of each
    names: tuple[bytes, ...] = ()  # whole file names, for files that say nothing by a suffix
    prefixes: tuple[bytes, ...] = ()  # beginnings of file names, such as `Dockerfile.`
    entries: frozenset[str] = frozenset()  # blocks that hold entries with addresses rather than statements
    elements: frozenset[str] = frozenset()  # lists of plain elements, of which two may be added at one place
    moving: frozenset[str] = frozenset()  # tokens over several lines that are indented with the code around them
    shape: Callable[[Raw, bytes], Raw] | None = None  # brings the parser's tree into the form of these tables
    dashed: bool = False  # `- ` at the start of a line indents what follows it, as in YAML

    def kin(self, node: Node) -> str:
        """Give the kind of `node`, one for all the ways to write it."""
        return self.alike.get(node.kind, node.kind)

    def seals(self, container: Node) -> bool:
        """Say whether arguments and entries below `container` are those of some statement in it."""
        return container.kind in self.blocks - self.entries and container.kind not in {self.wrapper, self.root}

    def margin(self, source: bytes, position: int) -> bytes:
        """Give the indentation of the line that holds `position`, with blanks for what indents as well."""
        if not self.dashed:
            return indentation(source, position)
        line = source[source.rfind(b"\n", 0, position) + 1 : position]
        dashes = _DASHES.match(line)
        return b" " * dashes.end() if dashes is not None else b""

    def opens_line(self, source: bytes, position: int) -> bool:
        """Say whether only indentation stands before `position` on its line."""
        if not self.dashed:
            return starts_line(source, position)
        line = source[source.rfind(b"\n", 0, position) + 1 : position]
        return _DASHES.fullmatch(line) is not None

    def layout(self, node: Node) -> Layout:
        """Say how the children of `node` are laid out."""
        if node.kind in self.lists:
            return Layout.SEPARATED
        if node.kind in self.blocks:
            return Layout.LINES
        if node.kind in self.chains:
            return Layout.CHAIN
        return Layout.PARTS
