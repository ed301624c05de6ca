"""The ladder: absorption first, then the rungs in order, each believed only when it proves its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.attempt import (
    Applied,
    Attempt,
    Carried,
    Carry,
    Case,
    Conflict,
    Conflicted,
    ConflictKind,
    EditFate,
    Evidence,
    Refused,
    Trial,
)
from patchq.model.verdict import AbsorbedHow, Rung
from patchq.reapply.anchored import anchored
from patchq.reapply.claim import Claim, trees_of
from patchq.reapply.exact import exact
from patchq.reapply.offset import offset
from patchq.reapply.proof import Unproven, prove
from patchq.reapply.three_way import three_way
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Sequence

Climb = Callable[[Case, Forest], Attempt]


def _by_text(rung: Callable[[Case], Attempt]) -> Climb:
    def climb(case: Case, forest: Forest) -> Attempt:
        del forest
        return rung(case)

    return climb


# The order is the contract: cheaper and more literal first. A new rung is one file and one line here.
RUNGS: tuple[tuple[Rung, Climb], ...] = (
    (Rung.EXACT, _by_text(exact)),
    (Rung.OFFSET, _by_text(offset)),
    (Rung.THREE_WAY, _by_text(three_way)),
    (Rung.ANCHORED, anchored),
)


def carry(case: Case) -> Carry:
    """Carry one file's change to the new upstream text, or refuse with the smallest conflicts that are known.

    The result has passed every gate of the proof; only a plain copy (upstream has base's own bytes) needs none.
    """
    forest = Forest()
    if case.ours != case.base:
        there = _absorbed(case, forest)
        if there is not None:
            return there
    trials: list[Trial] = []
    for rung, climb in RUNGS:
        attempt = climb(case, forest)
        if isinstance(attempt, Applied):
            attempt = _proven(case, rung, climb, attempt, forest)
        trials.append(Trial(rung, attempt))
        if isinstance(attempt, Applied):
            all_there = all(edit.fate is EditFate.ABSORBED for edit in attempt.evidence.edits)
            how = AbsorbedHow.HUNKS if all_there and attempt.data == case.ours else None
            return Carried(attempt.data, attempt.evidence, tuple(trials), how)
    return Refused(_telling(trials), tuple(trials))


def _absorbed(case: Case, forest: Forest) -> Carried | None:
    """Ask whether nothing is left to change: the same bytes, or every edit there node for node."""
    if case.ours == case.theirs:
        evidence = Evidence(rung=Rung.EXACT, notes=("upstream's file is the patched file, byte for byte",))
        return Carried(case.ours, evidence, (), AbsorbedHow.TREE)
    attempt = anchored(case, forest)
    if not isinstance(attempt, Applied) or not attempt.evidence.edits or attempt.data != case.ours:
        return None
    if any(edit.fate is EditFate.CARRIED for edit in attempt.evidence.edits):
        return None
    return Carried(case.ours, attempt.evidence, (Trial(Rung.ANCHORED, attempt),), AbsorbedHow.SYNTAX)


def _proven(case: Case, rung: Rung, climb: Climb, attempt: Applied, forest: Forest) -> Attempt:
    if rung is Rung.EXACT:
        said = "upstream has the very text that the patch was made for"
        return Applied(attempt.data, replace(attempt.evidence, proofs=(said,)))
    edits = attempt.evidence.edits
    if attempt.data == case.ours and any(edit.fate is EditFate.CARRIED for edit in edits):
        return _unproven(case, "the edits would change nothing")
    claim = Claim(
        case=case,
        rung=rung,
        result=attempt.data,
        edits=edits,
        again=lambda other: climb(other, forest),
        forest=forest,
        trees=trees_of(case, attempt.data, forest),
    )
    proof = prove(claim)
    if isinstance(proof, Unproven):
        return _unproven(case, proof.reason)
    return Applied(attempt.data, replace(attempt.evidence, proofs=proof.said))


def _unproven(case: Case, reason: str) -> Conflicted:
    anchor = f"{case.ours_path.decode('utf-8', 'surrogateescape')}::"
    return Conflicted((Conflict(kind=ConflictKind.UNPROVEN, reason=reason, anchor=anchor),))


def _telling(trials: Sequence[Trial]) -> tuple[Conflict, ...]:
    """Choose the conflicts to show: those of the last rung that knew one, since it looked closest."""
    known = [trial.attempt.conflicts for trial in trials if isinstance(trial.attempt, Conflicted)]
    if known:
        return known[-1]
    reason = "; ".join(f"{trial.rung.value}: {getattr(trial.attempt, 'reason', '')}" for trial in trials)
    return (Conflict(kind=ConflictKind.AMBIGUOUS, reason=reason, anchor=""),)
