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
    Declined,
    EditFate,
    Evidence,
    Refused,
    Trial,
)
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung
from patchq.reapply.anchored import anchored
from patchq.reapply.claim import Claim, disturbs, settled, trees_of
from patchq.reapply.copies import left_standing
from patchq.reapply.effect import without_effect
from patchq.reapply.exact import exact
from patchq.reapply.offset import offset
from patchq.reapply.proof import Unproven, prove
from patchq.reapply.structural import structural
from patchq.reapply.three_way import three_way
from patchq.syntax.languages import language_of
from patchq.syntax.parse import Forest
from patchq.text.prose import Style, style_of

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
    (Rung.STRUCTURAL, structural),
)


def carry(case: Case, forest: Forest | None = None) -> Carry:
    """Carry one file's change to the new upstream text, or refuse with the smallest conflicts that are known.

    `forest` is one that `settled` made for this case. The result has passed every gate of the proof; only a plain copy
    (upstream has base's own bytes) needs none.
    """
    if case.ours == case.theirs and case.ours != case.base:
        evidence = Evidence(rung=Rung.EXACT, notes=("upstream's file is the patched file, byte for byte",))
        return Carried(case.ours, evidence, (), AbsorbedHow.TREE)
    forest = settled(case) if forest is None else forest
    by_trees = _by_trees(case, forest)
    for count, trial in enumerate(by_trees, 1):
        if _is_wrapped(trial.attempt):
            break
        if isinstance(trial.attempt, Applied) and _is_there(case, trial.attempt):
            return _absorbed(case, trial.attempt, by_trees[:count], AbsorbedHow.SYNTAX, forest)
    known = {trial.rung: trial.attempt for trial in by_trees}
    trials: list[Trial] = []
    for rung, climb in RUNGS:
        attempt = known.get(rung) or climb(case, forest)
        if isinstance(attempt, Applied):
            attempt = _proven(case, rung, climb, attempt, known[Rung.ANCHORED], forest)
        trials.append(Trial(rung, attempt))
        if isinstance(attempt, Applied):
            all_there = all(edit.fate is EditFate.ABSORBED for edit in attempt.evidence.edits)
            if all_there and attempt.data == case.ours:
                return _absorbed(case, attempt, tuple(trials), AbsorbedHow.HUNKS, forest)
            return Carried(attempt.data, attempt.evidence, tuple(trials), None)
    return Refused(_telling(case, trials), tuple(trials))


def _absorbed(case: Case, attempt: Applied, trials: tuple[Trial, ...], how: AbsorbedHow, forest: Forest) -> Carry:
    """Take upstream's file for the result, if what the patch does there has its effect."""
    reason = without_effect(case, forest)
    if reason is None:
        return Carried(case.ours, attempt.evidence, trials, how)
    edits = attempt.evidence.edits
    anchor = edits[0].anchor if edits else _whole(case)
    return Refused((Conflict(kind=ConflictKind.OTHER_VALUE, reason=reason, anchor=anchor),), trials)


def _by_trees(case: Case, forest: Forest) -> tuple[Trial, Trial]:
    """Ask the anchored rung, an opinion on merges by lines too, and where that is torn the structural one."""
    not_needed = Declined("not needed")
    by_structure = not_needed if case.ours == case.base else anchored(case, forest)
    by_lines = structural(case, forest) if isinstance(by_structure, Conflicted) else not_needed
    return Trial(Rung.ANCHORED, by_structure), Trial(Rung.STRUCTURAL, by_lines)


def _is_wrapped(attempt: Attempt) -> bool:
    """Whether upstream has something of the patch inside something else, such as a condition: it is not there then.

    By lines that is not seen where the language does not ask for indentation.
    """
    conflicts = attempt.conflicts if isinstance(attempt, Conflicted) else ()
    other = (conflict for conflict in conflicts if conflict.kind is ConflictKind.OTHER_VALUE)
    sides = ((b" ".join(conflict.theirs.split()), b" ".join(conflict.ours.split())) for conflict in other)
    return any(theirs and theirs != ours and theirs in ours for theirs, ours in sides)


def _is_there(case: Case, attempt: Attempt) -> bool:
    """Whether nothing is left to change: every edit of the patch is there, and nothing that it takes away."""
    if not isinstance(attempt, Applied):
        return False
    edits = attempt.evidence.edits
    absorbed = attempt.data == case.ours and bool(edits) and all(edit.fate is EditFate.ABSORBED for edit in edits)
    return absorbed and left_standing(case, case.ours) is None


def _proven(case: Case, rung: Rung, climb: Climb, attempt: Applied, by_structure: Attempt, forest: Forest) -> Attempt:
    if rung is Rung.EXACT:
        said = "upstream has the very text that the patch was made for"
        return Applied(attempt.data, replace(attempt.evidence, proofs=(said,)))
    edits = attempt.evidence.edits
    if attempt.data == case.ours and (not edits or any(edit.fate is EditFate.CARRIED for edit in edits)):
        return _unproven(case, "the edits would change nothing")
    trees = trees_of(case, attempt.data, forest)
    if trees is not None and disturbs(trees):
        forest = Forest()
        trees = trees_of(case, attempt.data, forest)
    claim = Claim(
        case=case,
        rung=rung,
        result=attempt.data,
        edits=edits,
        again=lambda other: climb(other, forest),
        is_there=lambda other: _is_there(other, anchored(other, forest)),
        by_structure=by_structure,
        forest=forest,
        trees=trees,
    )
    proof = prove(claim)
    if isinstance(proof, Unproven):
        return _unproven(case, proof.reason)
    judged = tuple(replace(edit, review=ReviewClass.worst((edit.review, proof.review))) for edit in edits)
    return Applied(attempt.data, replace(attempt.evidence, edits=judged, proofs=proof.said))


def _unproven(case: Case, reason: str) -> Conflicted:
    return Conflicted((Conflict(kind=ConflictKind.UNPROVEN, reason=reason, anchor=_whole(case)),))


def _whole(case: Case) -> str:
    return f"{case.ours_path.decode('utf-8', 'surrogateescape')}::"


def _telling(case: Case, trials: Sequence[Trial]) -> tuple[Conflict, ...]:
    """Choose the conflicts to show: of the last rung that knew a place, else of the last that could not prove it."""
    known = [trial.attempt.conflicts for trial in trials if isinstance(trial.attempt, Conflicted)]
    placed = [found for found in known if any(conflict.kind is not ConflictKind.UNPROVEN for conflict in found)]
    if known and language_of(case.path) is None and style_of(case.path) is Style.LINES:
        return known[0]  # lines are what people see of such a file
    if known:
        return (placed or known)[-1]
    reason = "; ".join(f"{trial.rung.value}: {getattr(trial.attempt, 'reason', '')}" for trial in trials)
    return (Conflict(kind=ConflictKind.AMBIGUOUS, reason=reason, anchor=""),)
