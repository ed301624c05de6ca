"""A replay onto the base that the series stands on already tells again what was found out when it came there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.outcome import FileOutcome
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest

if TYPE_CHECKING:
    from patchq.model.outcome import PatchOutcome, Replay
    from patchq.model.series import FileRecord, PatchRecord, Record, RefPoint


def remember(replayed: Replay, record: Record | None, onto: RefPoint) -> Replay:
    """Give unchanged patches that fit `onto` exactly the verdict, rung, class and notes of `record`.

    Without this, a second `rebase` to the same upstream would call an adapted patch clean and forget why to look at it.
    """
    if record is None or record.base.tree != onto.tree:
        return replayed
    outcomes = tuple(_remembered(outcome, record.find(outcome.name)) for outcome in replayed.outcomes)
    return replace(replayed, outcomes=outcomes)


def _remembered(outcome: PatchOutcome, known: PatchRecord | None) -> PatchOutcome:
    if known is None or not known.verdict.carried or outcome.verdict is not Verdict.CLEAN:
        return outcome
    if outcome.after is None or known.digest != patch_digest(outcome.after.raw):
        return outcome
    made = {file.path: file for file in outcome.files}
    told = {file.path.encode("utf-8", "surrogateescape"): file for file in known.files}
    return replace(
        outcome,
        verdict=known.verdict,
        rung=known.rung,
        review=known.review,
        notes=known.notes,
        landed_in=known.landed_in,
        files=(
            *(_file(made.get(path), file, path) for path, file in told.items()),
            *(file for path, file in made.items() if path not in told),
        ),
    )


def _file(file: FileOutcome | None, known: FileRecord, path: bytes) -> FileOutcome:
    """Tell a file as it was recorded; one that upstream has, and that the patch no longer names, is told as well."""
    old_path = None if known.old_path is None else known.old_path.encode("utf-8", "surrogateescape")
    now = file or FileOutcome(path=path, old_path=None, verdict=known.verdict, rung=None, review=None, evidence="")
    return replace(
        now,
        verdict=known.verdict,
        rung=known.rung,
        evidence=known.evidence,
        old_path=old_path,
        absorbed_edits=known.absorbed_edits,
    )
