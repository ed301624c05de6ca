"""The JSON of `explain`: one outcome with every rung's answer, the three sides of what is open, and the interdiff."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.model.attempt import Applied, Conflicted, Declined
from patchq.report.document import conflict_entry, file_entry, patch_entry
from patchq.report.interdiff import interdiff
from patchq.report.jsonsafe import JsonObject, document, text

if TYPE_CHECKING:
    from patchq.model.attempt import Conflict, Trial
    from patchq.model.outcome import FileOutcome, PatchOutcome


def explain_document(outcome: PatchOutcome) -> JsonObject:
    """Give one outcome with all that `explain` tells: every rung's answer, the three sides, the interdiff."""
    fields = patch_entry(outcome)
    fields["files"] = [{**file_entry(file), **_reasons(file)} for file in outcome.files]
    fields["interdiff"] = interdiff(outcome.before, outcome.after) if outcome.after is not None else None
    return document("explain", fields)


def _reasons(file: FileOutcome) -> JsonObject:
    return {
        "notes": [*file.notes],
        "conflicts": [{**conflict_entry(conflict), "sides": sides(conflict)} for conflict in file.conflicts],
        "trials": [{"rung": trial.rung.value, **_answer(trial)} for trial in file.trials],
    }


def sides(conflict: Conflict) -> JsonObject:
    """Give the three sides of an open place."""
    return {"base": text(conflict.base), "patch": text(conflict.theirs), "upstream": text(conflict.ours)}


def _answer(trial: Trial) -> JsonObject:
    match trial.attempt:
        case Applied(evidence=evidence):
            return {
                "answer": "applied",
                "edits": [
                    {"fate": edit.fate.value, "class": edit.review.value, "anchor": edit.anchor, "how": edit.how}
                    for edit in evidence.edits
                ],
                "proofs": [*evidence.proofs],
                "notes": [*evidence.notes],
            }
        case Declined(reason=reason):
            return {"answer": "declined", "reason": reason}
        case Conflicted(conflicts=conflicts):
            return {"answer": "conflicted", "conflicts": [conflict_entry(conflict) for conflict in conflicts]}
        case _:
            assert_never(trial.attempt)
