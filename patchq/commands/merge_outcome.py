"""What became of one merged file: as words for people, as the JSON document, and as one line of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.verdict import Rung
from patchq.queue.merging import Merged, Unmerged
from patchq.report.cells import decoded, visible
from patchq.report.document import conflict_entry
from patchq.report.explained import sides
from patchq.report.jsonsafe import document
from patchq.report.words import Subject, of_conflict, of_review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.attempt import Case
    from patchq.queue.merging import Result
    from patchq.report.jsonsafe import Json, JsonObject

_SHOWN = 5  # conflicts of one file; a screen is no place for more
_BY_TEXT = frozenset({None, Rung.EXACT, Rung.OFFSET, Rung.THREE_WAY})


def merge_document(outcome: Merged | Unmerged) -> JsonObject:
    """Give the document of `merge-file --json`; rung and class are null where no rung has a result."""
    result = outcome.result
    return document(
        "merge-file",
        {
            **summary(outcome),
            "merged": isinstance(outcome, Merged),
            "evidence": "" if result is None else result.evidence,
            "edits": [] if result is None else [*_edits(result)],
            "proofs": [] if result is None else [*result.proofs],
            "notes": [] if result is None else [*result.notes],
            "conflicts": [*_conflicts(outcome)],
        },
    )


def summary(outcome: Merged | Unmerged) -> JsonObject:
    """Give what a line of a batch has, too."""
    result = outcome.result
    return {
        "verdict": outcome.result.verdict.value if isinstance(outcome, Merged) else outcome.verdict.value,
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
    name = visible(decoded(case.ours_path))
    result = outcome.result
    if result is None:
        return [*_told_conflicts(outcome, name)]
    notes = [f"    {visible(note)}" for note in result.notes]
    how = result.verdict.value + ("" if result.rung is None else f" ({result.rung.value})")
    if isinstance(outcome, Unmerged):
        return [f"needs review: {name}: {how}, {reason_of(outcome)}", *notes]
    if result.rung in _BY_TEXT:
        return notes
    return [f"merged: {name}: {how}, class {result.review.value}: {result.evidence}", *notes]


def _told_conflicts(outcome: Merged | Unmerged, name: str) -> Iterator[str]:
    conflicts = () if isinstance(outcome, Merged) else outcome.conflicts
    for conflict in conflicts[:_SHOWN]:
        place = conflict.anchor.removeprefix(name).removeprefix("::").removeprefix(":")
        line = f"line {place}" if place.isdigit() else visible(place)
        reason = visible(conflict.reason) or of_conflict(conflict.kind, Subject()).phrase
        yield f"conflict: {name}: {line}: {reason}" if line else f"conflict: {name}: {reason}"
    if len(conflicts) > _SHOWN:
        yield f"conflict: {name}: and {len(conflicts) - _SHOWN} more"


def _edits(result: Result) -> Iterator[Json]:
    for edit in result.edits:
        yield {"fate": edit.fate.value, "class": edit.review.value, "anchor": edit.anchor, "how": edit.how}


def _conflicts(outcome: Merged | Unmerged) -> Iterator[Json]:
    if isinstance(outcome, Unmerged):
        yield from ({**conflict_entry(conflict), "sides": sides(conflict)} for conflict in outcome.conflicts)
