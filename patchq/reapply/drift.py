"""Hunks whose line numbers have drifted, found again by their full context: one possible place each, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.reapply.hunks import at_rows, bare_ends
from patchq.reapply.spots import listed
from patchq.text.lines import split_lines
from patchq.text.locate import occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.change import Hunk


@dataclass(frozen=True, slots=True)
class Placed:
    """Every hunk has its place; `hunks` are renumbered for it, so that `apply_hunks` takes them."""

    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplaced:
    """Hunk number `hunk` (from 1) has no place of its own; `candidates` are the lines (from 1) where it would fit."""

    hunk: int
    reason: str
    candidates: tuple[int, ...] = ()


Placement = Placed | Unplaced


def locate_hunks(hunks: Sequence[Hunk], data: bytes) -> Placement:
    """Find the one place of each hunk in `data` by all of its old lines, in order and without overlap; no fuzz.

    A hunk that begins or ends with a change was made at that edge of the file, and is taken only there. Lines that
    occur twice are refused even where the order of the hunks would allow one place only: if upstream has moved code,
    the place that is left over is the wrong one.
    """
    count = len(split_lines(data))
    rows: list[int] = []
    done = 0
    for number, hunk in enumerate(hunks, 1):
        found = _places(hunk, data, count)
        candidates = tuple(row + 1 for row in found)
        if not found:
            return Unplaced(hunk=number, reason="its lines do not occur in the file")
        if len(found) > 1:
            reason = f"it fits at {listed(found)}"
            return Unplaced(hunk=number, reason=reason, candidates=candidates)
        if found[0] < done:
            reason = f"it fits at line {candidates[0]} only, which the hunk before it reaches or has passed"
            return Unplaced(hunk=number, reason=reason, candidates=candidates)
        rows.append(found[0])
        done = found[0] + len(hunk.old_lines)
    return Placed(at_rows(hunks, rows))


def _places(hunk: Hunk, data: bytes, count: int) -> list[int]:
    """Return the rows of `data`, which has `count` lines, where all old lines of `hunk` stand, edges respected."""
    old = hunk.old_lines
    opens, closes = bare_ends(hunk)
    if not old:
        return [] if count else [0]
    last = count - len(old)
    return [row for row in occurrences(old, data) if not (opens and row > 0) and not (closes and row < last)]
