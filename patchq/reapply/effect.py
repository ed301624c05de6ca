"""Whether upstream's lines of a patch take effect there: not behind a condition of its own, not overruled further down.

What is there without effect is not absorbed: a fork that gives its patch up for it loses what the patch did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.reapply.aligning import NOWHERE, align, lines_of
from patchq.reapply.conditions import new_condition, way_out
from patchq.reapply.overruled import overruled
from patchq.reapply.pieces import pieces
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from patchq.model.attempt import Case


def without_effect(case: Case, forest: Forest | None = None) -> str | None:
    """Say why `case.ours`, which has what the patch adds, does not do it; None if nothing shows that."""
    cut = pieces(case)
    sides = align(cut.base, cut.theirs, cut.base_to_theirs, lines_of(case.ours))
    for piece in cut.edits:
        if not any(sides.theirs_to_ours[row] != NOWHERE for row in piece.new):
            continue
        condition = new_condition(sides, piece.new)
        if condition is not None:
            return f"it is there, but under `{condition.decode('utf-8', 'replace')}`"
        out = way_out(sides, piece.new)
        if out is not None:
            return f"it is there, but behind `{out.decode('utf-8', 'replace')}`"
    return overruled(case, Forest() if forest is None else forest)
