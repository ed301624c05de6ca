"""Trees of small texts for the tests of this room."""

from __future__ import annotations

from patchq.syntax.languages import LANGUAGES
from patchq.syntax.node import Node, Tree
from patchq.syntax.parse import Forest

PYTHON = LANGUAGES[0]


def tree_of(text: str | bytes, forest: Forest | None = None) -> Tree:
    """Parse Python."""
    source = text if isinstance(text, bytes) else text.encode()
    tree = (Forest() if forest is None else forest).tree(source, PYTHON)
    assert isinstance(tree, Tree)
    return tree


def roots_of(*texts: str) -> tuple[Node, ...]:
    """Parse several texts whose identities compare."""
    forest = Forest()
    return tuple(tree_of(text, forest).root for text in texts)
