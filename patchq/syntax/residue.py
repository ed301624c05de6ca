"""What is left of several trees without what all of them have equally often: counts that are compared need no more."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.syntax.node import Node


def residue(*roots: Node, inside: Callable[[Node], Node] = lambda node: node) -> tuple[tuple[Node, ...], ...]:
    """Return the nodes of each tree, parents before children, outside of what all trees have byte for byte.

    Whatever is counted of nodes and then compared between the trees, is the same with and without what is left out:
    equal texts of one kind, equally many in each tree, hold equally many of everything. So the work follows what
    differs. `inside` is how to look into a node.
    """
    found: list[list[Node]] = [[] for _ in roots]
    fronts: list[list[Node]] = [[root] for root in roots]
    while any(fronts):
        keys = [[(node.kind, node.same, node.text) for node in front] for front in fronts]
        counts = [Counter(side) for side in keys]
        first = counts[0]
        common = {key for key, count in first.items() if all(other[key] == count for other in counts[1:])}
        below: list[list[Node]] = []
        for side, front in enumerate(fronts):
            left = [node for node, key in zip(front, keys[side], strict=True) if key not in common]
            found[side] += left
            below.append([kid for node in left for kid in inside(node).children])
        fronts = below
    return tuple(tuple(side) for side in found)


def leaves(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the tokens and comments among nodes that `residue` gives."""
    return (node for node in nodes if not node.children)
