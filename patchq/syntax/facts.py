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


Rank = tuple[int, bool, str]  # the group of an import, its form and its name

_DASHES = re.compile(rb"[ \t]*(?:[-?] +)*")


class Order(Enum):
    """Whether the place of a member in its list means something."""

    ORDERED = "ordered"  # statements, positional arguments, list elements
    LOOSE = "loose"  # seldom: where both sides add at one place, an order is chosen for a person to look at
    FREE = "free"  # dict entries, keyword arguments, imported names, members of a class


class Strength(Enum):
    """How far a signature identifies its node."""

    STRONG = "strong"  # names the node wherever it stands in its list
    WEAK = "weak"  # tells it from its neighbours only


@dataclass(frozen=True, slots=True)
class Signature:
    """What a node is called among its siblings; `step` is how an anchor names it, None where it cannot.

    `family` is the part of a strong key that stays when the rest changes: the name of an overloaded function without
    the types of its parameters.
    """

    strength: Strength
    key: tuple[str, ...]
    step: Step | None = None
    family: tuple[str, ...] | None = None


class Layout(Enum):
    """How the members of a list are written one after another."""

    SEPARATED = "separated"  # between brackets, with commas
    LINES = "lines"  # a line (or more) each, at one indentation
    CHAIN = "chain"  # operands joined by one operator
    PARTS = "parts"  # everything else: the parts of one construct


@dataclass(frozen=True, slots=True)
class Group:
    """Children behind the one of kind or role `after` become one synthetic child of kind `kind`.

    `ends` are the kinds that stand behind the group; `opener` is a bracket with which it begins instead.
    """

    after: str
    kind: str
    ends: frozenset[str] = frozenset()
    opener: str = ""


def _no_signature(node: Node, parent: Node) -> Signature | None:
    del node, parent
    return None


def _nothing(statement: Node) -> tuple[str, ...]:
    del statement
    return ()


def _no_rank(statement: Node) -> tuple[Rank, ...] | None:
    del statement
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
    comments: frozenset[str] = frozenset({"comment"})
    to_line_end: tuple[bytes, ...] = (b"#",)  # how a comment begins that ends with its line
    later_wins: bool = False  # of a name given twice; elsewhere the second is an overload, or stands under `cfg`
    offside: bool = False  # a block ends where its indentation does, not at a bracket
    optional: frozenset[str] = frozenset({","})  # tokens that formatters add and take away
    blanks: frozenset[str] = frozenset()  # nodes that are white space to a reader
    brackets: frozenset[str] = frozenset({"(", ")", "[", "]", "{", "}"})
    lists: frozenset[str] = frozenset()  # members with commas between them
    commaed: frozenset[str] = frozenset()  # lists that need a comma even behind a single member
    blocks: frozenset[str] = frozenset()
    separators: frozenset[str] = frozenset({";"})  # what may stand behind a member of a block
    chains: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()  # the operators that make a chain; empty: all
    transparent: frozenset[str] = frozenset()  # brackets that only group
    strings: frozenset[str] = frozenset()  # one token each, unless a `hole` is inside
    hole: str = "interpolation"
    free_quotes: bool = False  # either quotes make the same string
    alike: Mapping[str, str] = field(default_factory=dict)  # kinds that differ in how they are written only
    groups: Mapping[str, Group] = field(default_factory=dict)
    leads: frozenset[str] = frozenset()  # attributes that stand before what they belong to, as siblings
    leads_comments: bool = False  # comments right above a wrapped construct go with it
    wrapped: frozenset[str] = frozenset()  # always put into a `wrapper`, decorated or not
    wrapper: str = ""
    flush: frozenset[str] = frozenset()  # members of blocks that have a column of their own, such as `#if`
    operators: frozenset[str] = frozenset()  # constructs that a changed token turns into another computation
    compounds: frozenset[str] = frozenset()  # expressions whose parts mean something only together
    signature: Callable[[Node, Node], Signature | None] = _no_signature  # (member, its container)
    takes: Callable[[Node], tuple[str, ...]] = _nothing  # what a statement takes beside its name: an import's names
    order: Callable[[Node, Node | None], Callable[[Node], Order]] = _ordered  # (container, what it belongs to): of each
    rank: Callable[[Node], tuple[Rank, ...] | None] = _no_rank  # where sorters put an import, by each of their customs
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

    def is_flush(self, member: Node) -> bool:
        """Say whether a member of a block has a column of its own, whatever the block's indentation is."""
        inner = member.child("definition") if member.kind == self.wrapper else None
        return (member if inner is None else inner).kind in self.flush

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
        if self.chained(node.kind, node.child("operator")):
            return Layout.CHAIN
        return Layout.PARTS

    def chained(self, kind: str, operator: Node | None) -> bool:
        """Say whether a node of `kind` with this operator is one link of a chain."""
        return kind in self.chains and (not self.joining or (operator is not None and operator.kind in self.joining))

    def ends_line(self, comment: bytes) -> bool:
        """Say whether a comment runs to the end of its line, so that nothing can follow it there."""
        return comment.startswith(self.to_line_end)
