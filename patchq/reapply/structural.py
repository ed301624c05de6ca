"""The structural rung: edits whose block was wrapped or re-indented, or whose definition was moved or renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Conflicted, Declined
from patchq.model.verdict import Rung
from patchq.reapply.anchored import by_tree, misses, sides
from patchq.reapply.relocating import relocated
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from patchq.model.attempt import Attempt, Case


def structural(case: Case, forest: Forest | None = None) -> Attempt:
    """Carry the change of one file as `anchored` does, and line of code by line of code where a block has changed.

    Only where that is torn are definitions looked for that are no longer in their places.
    """
    forest = Forest() if forest is None else forest
    answer = by_tree(case, Rung.STRUCTURAL, forest)
    if not isinstance(answer, Conflicted):
        return answer
    read = sides(case, forest)
    if isinstance(read, Declined | Unread) or not misses(read[1]):
        return answer
    return relocated(
        case, answer, forest.whole()
    )  # a move can lead into what the case does not turn on, so all is read
