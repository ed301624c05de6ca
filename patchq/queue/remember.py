"""A replay onto the base that the series stands on already tells again what was found out when it came there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest

if TYPE_CHECKING:
    from patchq.model.outcome import FileOutcome, PatchOutcome, Replay
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
    files = {file.path: file for file in known.files}
    return replace(
        outcome,
        verdict=known.verdict,
        rung=known.rung,
        review=known.review,
        notes=known.notes,
        files=tuple(_file(file, files.get(file.path.decode("utf-8", "surrogateescape"))) for file in outcome.files),
    )


def _file(file: FileOutcome, known: FileRecord | None) -> FileOutcome:
    if known is None:
        return file
    old_path = None if known.old_path is None else known.old_path.encode("utf-8", "surrogateescape")
    return replace(file, verdict=known.verdict, rung=known.rung, evidence=known.evidence, old_path=old_path)
