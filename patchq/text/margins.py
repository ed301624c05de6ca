"""A block of lines at another indentation: as the lines around it have moved, keeping its own shape."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

T = TypeVar("T")
ITEM = "item"  # the kind of an item of a list, in a text
Margin = tuple[bool, bytes]  # whether an item stands there, and the indentation


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Generic[T]):
    """A line, or a construct that begins one: `key` is what it says, wherever and at whatever indentation it stands.

    `exact` tells two ways to write it apart. `kind` is None for a blank one; of two lines of one kind one may be the
    other after a change. A `telling` line says enough to be known again; `return` does not. `item` is the caller's.
    `depth` counts the blocks around it where the indentation need not tell.
    """

    key: bytes
    exact: bytes
    indent: bytes
    kind: str | None
    telling: bool
    item: T
    depth: int = 0

    @property
    def blank(self) -> bool:
        """Whether nothing stands on it."""
        return self.kind is None


def shifted(
    lines: Sequence[Line[T]], known: Mapping[Margin, bytes], own: tuple[bytes, bytes] | None
) -> tuple[Line[T], ...]:
    """Indent a block as ours indents its outermost line; what is deeper keeps its distance.

    `own` is the indentation of what the block replaces, in base and in ours, and is asked first.
    """
    outer = min((line for line in lines if not line.blank), key=lambda line: len(line.indent), default=None)
    if outer is None:
        return tuple(lines)
    target = _target(outer, known, own)
    return tuple(
        replace(line, indent=target + line.indent[len(outer.indent) :])
        if not line.blank and line.indent.startswith(outer.indent)
        else line
        for line in lines
    )


def _target(outer: Line[T], known: Mapping[Margin, bytes], own: tuple[bytes, bytes] | None) -> bytes:
    if own is not None:
        before, now = own
        if before == now:
            return outer.indent
        if outer.indent.startswith(before):
            return now + outer.indent[len(before) :]
    item, indent = margin(outer)
    for key in ((item, indent), (not item, indent)):
        if key in known:
            return known[key]
    inside = [key for key in known if indent.startswith(key[1])]
    if not inside:
        return indent
    nearest = max(inside, key=lambda key: len(key[1]))
    return known[nearest] + indent[len(nearest[1]) :]


def margin(line: Line[T]) -> Margin:
    """Say what kind of place a line begins at."""
    return line.kind == ITEM, line.indent
