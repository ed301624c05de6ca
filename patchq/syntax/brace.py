"""What the languages with braces have in common: their wrapper, and how their signatures are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import Order, Signature, Strength

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from patchq.syntax.node import Node

# A definition with the attributes and the comments right above it.
ITEM = "item"
COMMENT_STARTS = (b"//",)
BRACKETS = frozenset({"(", ")", "[", "]", "{", "}"})
# What an address cannot hold in a name.
_RESERVED = frozenset(".[](){}\n")


def strong(*key: str, step: Step | None = None, family: tuple[str, ...] | None = None) -> Signature:
    """Name a node wherever it stands in its list."""
    return Signature(Strength.STRONG, key, step, family)


def weak(*key: str, step: Step | None = None) -> Signature:
    """Tell a node from its neighbours."""
    return Signature(Strength.WEAK, key, step)


def words(node: Node | None) -> str:
    """Give the text of a node with white space reduced; empty for no node."""
    return "" if node is None else " ".join(node.word.split())


def name_step(name: str) -> Step | None:
    """Make a step of a name; None for one that no address can hold, such as `operator()`."""
    return None if not name or _RESERVED & set(name) else Step(StepKind.NAME, name)


def entry_step(key: str) -> Step | None:
    """Make a step of a key, which is source text; None where its brackets or quotes would end the step too early."""
    plain = not any(mark in key for mark in "'\"`\\\n")
    quoted = len(key) > 1 and key[0] == key[-1] == '"' and not any(mark in key[1:-1] for mark in '"\\\n')
    balanced = all(key.count(one) == key.count(other) for one, other in ("()", "[]", "{}"))
    return Step(StepKind.ENTRY, key) if key and (quoted or (plain and balanced)) else None


def argument_step(name: str) -> Step | None:
    """Make a step of a parameter's name."""
    return None if not name or _RESERVED & set(name) else Step(StepKind.ARGUMENT, name)


def call(function: Node | None, *more: str) -> Signature | None:
    """Name a statement that is a call."""
    return None if function is None else weak("call", words(function), *more)


def header(node: Node, field: str) -> Signature | None:
    """Name a compound statement by its condition or the like."""
    said = node.child(field)
    return None if said is None else weak(node.kind, str(said.same))


def meant(member: Node) -> Node:
    """Look into the wrapper: the definition itself, or the member where it is none."""
    inner = member.child("definition") if member.kind == ITEM else None
    return member if inner is None else inner


def by_kind(free: Container[str], loose: Container[str] = ()) -> Callable[[Node], Order]:
    """Make an order of the kinds of members."""

    def order(member: Node) -> Order:
        kind = meant(member).kind
        return Order.FREE if kind in free else Order.LOOSE if kind in loose else Order.ORDERED

    return order


def ordered(member: Node) -> Order:
    """Let every member stay where it is."""
    del member
    return Order.ORDERED
