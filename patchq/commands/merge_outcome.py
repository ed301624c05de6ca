"""What became of one merged file: in words for people, and in the few that a line of a batch has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.verdict import Rung
from patchq.queue.merging import Merged, Unmerged
from patchq.report.cells import decoded, visible
from patchq.report.words import Subject, of_conflict, of_review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.attempt import Case
    from patchq.report.jsonsafe import JsonObject

_SHOWN = 5  # conflicts of one file; a screen is no place for more
_BY_TEXT = frozenset({None, Rung.EXACT, Rung.OFFSET, Rung.THREE_WAY})


def summary(outcome: Merged | Unmerged) -> JsonObject:
    """Give what a line of a batch has, too."""
    result = outcome.result
    return {
        "verdict": (outcome.result if isinstance(outcome, Merged) else outcome).verdict.value,
        "rung": None if result is None or result.rung is None else result.rung.value,
        "class": None if result is None else result.review.value,
        "needs_review": result is not None and result.review.needs_review,
    }


def reason_of(outcome: Unmerged) -> str:
    """Say in one line why the file was not merged."""
    if outcome.result is not None:
        return f"class {outcome.result.review.value}: {of_review(outcome.result.review, Subject()).phrase}"
    return "; ".join(dict.fromkeys(conflict.reason for conflict in outcome.conflicts))


def told(outcome: Merged | Unmerged, case: Case) -> list[str]:
    """Say on standard error what a person would like to know: nothing of a merge by lines."""
    path = decoded(case.ours_path)
    name = visible(path)
    result = outcome.result
    if result is None:
        return [*_told_conflicts(outcome, path)]
    notes = [f"    {visible(note)}" for note in result.notes]
    how = result.verdict.value + ("" if result.rung is None else f" ({result.rung.value})")
    if isinstance(outcome, Unmerged):
        return [f"needs review: {name}: {how}, {reason_of(outcome)}", *notes]
    if result.rung in _BY_TEXT:
        return notes
    return [f"merged: {name}: {how}, class {result.review.value}: {result.evidence}", *notes]


def _told_conflicts(outcome: Merged | Unmerged, path: str) -> Iterator[str]:
    conflicts = () if isinstance(outcome, Merged) else outcome.conflicts
    name = visible(path)
    for conflict in conflicts[:_SHOWN]:
        place = conflict.anchor.removeprefix(path).removeprefix("::").removeprefix(":")
        line = f"line {place}" if place.isdigit() else visible(place)
        reason = visible(conflict.reason) or of_conflict(conflict.kind, Subject()).phrase
        yield f"conflict: {name}: {line}: {reason}" if line else f"conflict: {name}: {reason}"
    if len(conflicts) > _SHOWN:
        yield f"conflict: {name}: and {len(conflicts) - _SHOWN} more"
