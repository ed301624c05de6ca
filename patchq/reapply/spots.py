"""Places in a text, in words for people: `path:12`, `lines 10-18`, `lines 3, 9 and 12`, `twice`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMED = 10


def decoded(path: bytes) -> str:
    """Give a git path as text that can be encoded back."""
    return path.decode("utf-8", "surrogateescape")


def spot(path: bytes, row: int) -> str:
    """Name a line of a file as compilers do; `row` counts from 0."""
    return f"{decoded(path)}:{row + 1}"


def span(start: int, end: int) -> str:
    """Name the rows `start:end`, from 0 and half open, as people count lines."""
    return f"line {start + 1}" if end - start <= 1 else f"lines {start + 1}-{end}"


def listed(rows: Sequence[int]) -> str:
    """Name single rows, from 0; of more than ten the first ones."""
    if len(rows) == 1:
        return f"line {rows[0] + 1}"
    numbers = [str(row + 1) for row in rows[:_NAMED]]
    last = f"{len(rows) - _NAMED} more" if len(rows) > _NAMED else numbers.pop()
    return f"lines {', '.join(numbers)} and {last}"


def times(count: int) -> str:
    """Say how often."""
    return {0: "not at all", 1: "once", 2: "twice"}.get(count, f"{count} times")
