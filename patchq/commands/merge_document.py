"""The document of `patchq merge-file --json`; a module of its own, because no other call has to pay for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.commands.merge_outcome import summary
from patchq.queue.merging import Merged, Unmerged
from patchq.report.document import conflict_entry
from patchq.report.explained import sides
from patchq.report.jsonsafe import document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.queue.merging import Result
    from patchq.report.jsonsafe import Json, JsonObject


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


def _edits(result: Result) -> Iterator[Json]:
    for edit in result.edits:
        yield {"fate": edit.fate.value, "class": edit.review.value, "anchor": edit.anchor, "how": edit.how}


def _conflicts(outcome: Merged | Unmerged) -> Iterator[Json]:
    if isinstance(outcome, Unmerged):
        yield from ({**conflict_entry(conflict), "sides": sides(conflict)} for conflict in outcome.conflicts)
