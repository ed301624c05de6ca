"""Facts about JSON: objects hold keys in any order, arrays are ordered, and no comma stands behind the last member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.syntax.facts import LanguageFacts, Order, Signature
from patchq.syntax.keys import keyed, record, unquoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.node import Node


def signature(node: Node, container: Node) -> Signature | None:
    """Name a key in its object, and a record of an array by its `name`."""
    if node.kind == "pair":
        key = node.child("key")
        return None if key is None else keyed("key", key.word)
    if node.kind == "object" and container.kind == "array":
        pairs = [child for child in node.children if child.kind == "pair"]
        found = ((pair.child("key"), pair.child("value")) for pair in pairs)
        both = ((key, value) for key, value in found if key is not None and value is not None)
        return record({unquoted(key.word): value for key, value in both if not value.children})
    return None


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say that keys stand in any order and elements in theirs."""
    del owner
    return lambda member: Order.FREE if container.kind == "object" and member.kind == "pair" else Order.ORDERED


JSON = LanguageFacts(
    name="JSON",
    suffixes=(b".json",),
    root="document",
    later_wins=True,
    lists=frozenset({"array", "object"}),
    elements=frozenset({"array"}),
    strings=frozenset({"string"}),
    signature=signature,
    order=order,
)
