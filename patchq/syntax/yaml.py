"""Facts about YAML: mappings hold keys in any order, sequences are ordered, and records are known by their name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.syntax.facts import LanguageFacts, Order, Signature, Strength
from patchq.syntax.keys import entry_step, keyed, record, unquoted
from patchq.syntax.yaml_shape import BLOCKS, shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.syntax.node import Node

_MAPPINGS = frozenset({"block_mapping", "flow_mapping"})
_PAIRS = frozenset({"block_mapping_pair", "flow_pair"})


def signature(node: Node, container: Node) -> Signature | None:
    """Name a key in its mapping, a record of a sequence by its `name`, a document of several by what it declares."""
    if node.kind in _PAIRS:
        key = node.child("key")
        return None if key is None else keyed("key", unquoted(key.word))
    if node.kind == "document":
        return _document(node, container)
    item = node.children[-1] if node.kind == "block_sequence_item" and node.children else node
    if container.kind in {"block_sequence", "flow_sequence"} and item.kind in _MAPPINGS:
        return record(_values(item))
    return None


def _values(mapping: Node) -> dict[str, Node]:
    """Return the keys of a mapping that have a scalar on one line."""
    pairs = [child for child in mapping.children if child.kind in _PAIRS]
    found = ((pair.child("key"), pair.child("value")) for pair in pairs)
    return {
        unquoted(key.word): value
        for key, value in found
        if key is not None and value is not None and value.kind == "scalar" and b"\n" not in value.text
    }


def _document(node: Node, stream: Node) -> Signature | None:
    if not any(child.kind == "document" and child is not node for child in stream.children):
        return Signature(Strength.STRONG, ("document",))
    mapping = next((child for child in node.children if child.kind in _MAPPINGS), None)
    pairs = () if mapping is None else mapping.children
    tops = {} if mapping is None else _values(mapping)
    below = [pair.child("value") for pair in pairs if (key := pair.child("key")) is not None and key.word == "metadata"]
    names = [_values(value).get("name") for value in below if value is not None and value.kind in _MAPPINGS]
    if "kind" not in tops or not names or names[0] is None:
        return None
    called = f"{tops['kind'].word}/{unquoted(names[0].word)}"
    return Signature(Strength.STRONG, ("document", called), entry_step(called))


def order(container: Node, owner: Node | None) -> Callable[[Node], Order]:
    """Say that keys stand in any order; everything else is ordered."""
    del owner
    free = container.kind in _MAPPINGS
    return lambda member: Order.FREE if free and member.kind in _PAIRS else Order.ORDERED


YAML = LanguageFacts(
    name="YAML",
    suffixes=(b".yaml", b".yml"),
    names=(b".clang-format", b".clang-tidy"),
    root="stream",
    later_wins=True,
    brackets=frozenset({"[", "]", "{", "}", "-"}),
    lists=frozenset({"flow_mapping", "flow_sequence"}),
    elements=frozenset({"flow_sequence"}),
    blocks=BLOCKS | {"stream"},
    entries=BLOCKS,
    transparent=frozenset({"block_sequence_item"}),
    strings=frozenset({"scalar", "block_scalar"}),
    moving=frozenset({"scalar", "block_scalar"}),
    alike={"flow_mapping": "block_mapping", "flow_sequence": "block_sequence", "flow_pair": "block_mapping_pair"},
    signature=signature,
    order=order,
    shape=shape,
    dashed=True,
)
