"""Two branches of one file: each side's change is carried onto the other side, and neither may speak against it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Carried, Carry, Case, Conflict, ConflictKind, Refused
from patchq.reapply.ladder import carry
from patchq.reapply.spots import decoded

if TYPE_CHECKING:
    from patchq.syntax.parse import Forest


def carry_both_ways(case: Case, forest: Forest | None = None) -> Carry:
    """Merge where nobody says which side is the patch; `theirs` and `ours` are two branches.

    The ladder looks hard at what it carries, and takes what it carries it to as given. In a merge of a fork with its
    upstream the patch may be on either side, so both changes are carried. One side that is unable (a clash) does not
    count against a proved result of the other one; one that doubts does (two places, another value, a failed gate).
    Where both have a result it must be the same text, and the worse class counts; only where one side has all of the
    other's change already may the texts differ.
    """
    if case.base in {case.theirs, case.ours} or case.theirs == case.ours:
        return carry(case, forest)
    one = carry(case, forest)
    other = carry(replace(case, theirs=case.ours, ours=case.theirs), forest)
    if isinstance(one, Refused):
        return one if isinstance(other, Refused) or _doubts(one) else other
    if isinstance(other, Refused):
        return _turned(other) if _doubts(other) else one
    return _agreed(case, one, other)


def _agreed(case: Case, one: Carried, other: Carried) -> Carry:
    if one.data == other.data:
        return one if one.evidence.review.value >= other.evidence.review.value else other
    if one.absorbed is not None:
        return one
    if other.absorbed is not None:
        return other
    conflict = Conflict(
        kind=ConflictKind.AMBIGUOUS,
        reason="carried the other way round, the two changes give another text",
        anchor=f"{decoded(case.ours_path)}::",
    )
    return Refused((conflict,), (*one.trials, *other.trials))


def _doubts(answer: Refused) -> bool:
    return any(conflict.kind is not ConflictKind.CLASH for conflict in answer.conflicts)


def _turned(answer: Refused) -> Refused:
    """Show the sides of conflicts as the caller has them."""
    conflicts = tuple(replace(at, theirs=at.ours, ours=at.theirs) for at in answer.conflicts)
    return Refused(conflicts, answer.trials)
