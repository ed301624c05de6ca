"""How the hooks lay out what they tell: a word in front of each line, and lists that end somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 6
_WIDTH = 8  # of the words in front of what is told


def line_of(word: str, text: str) -> str:
    """Put a word in front of what it is about."""
    return f"  {word:{_WIDTH}} {text}"


def names_of(names: Sequence[object]) -> str:
    """Join names, the first of them where there are many."""
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return ", ".join(map(str, names[:MOST_SHOWN])) + more
