"""The structural rung: edits whose block was wrapped, unwrapped or re-indented, or whose neighbours changed too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.verdict import Rung
from patchq.reapply.anchored import by_tree

if TYPE_CHECKING:
    from patchq.model.attempt import Attempt, Case
    from patchq.syntax.parse import Forest


def structural(case: Case, forest: Forest | None = None) -> Attempt:
    """Carry the change of one file as `anchored` does, and line of code by line of code where a block has changed."""
    return by_tree(case, Rung.STRUCTURAL, forest)
