"""What became of patches as JSON, schema 1: `rebase`, `status` and `build` in one shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.series import Standing
from patchq.model.verdict import Verdict
from patchq.patchfile.dates import iso_date
from patchq.report.asked import asked_entries
from patchq.report.jsonsafe import Json, JsonObject, document, text
from patchq.report.notes import all_notes, anchors_of
from patchq.report.policy import policy_entry
from patchq.report.words import TOLD_ORDER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from patchq.errors import PatchFormatError
    from patchq.model.attempt import Conflict
    from patchq.model.judgement import UpstreamCommit
    from patchq.model.names import PatchName
    from patchq.model.outcome import FileOutcome, PatchOutcome, Replay
    from patchq.model.policy import Policy
    from patchq.model.series import Entry, FileRecord, Ledger, PatchRecord, Record, RefPoint, Series
    from patchq.model.verdict import ReviewClass, Rung


@dataclass(frozen=True, slots=True)
class BuiltBranch:
    """A branch and the commit it points to, lower-case hex."""

    name: str
    commit: str


def rebase_document(
    command: str,
    *,
    dry_run: bool,
    from_: RefPoint | None,
    onto: RefPoint,
    branch: BuiltBranch | None,
    replay: Replay,
    today: date | None = None,
) -> JsonObject:
    """Give a replay as the document of `rebase`, `status REF` or `build`; `today` is for what is overdue.

    `from_` is None before a first carry, `branch` None where none was built. The summary counts
    every verdict, also those that do not occur, so that a script can ask for any of them.
    """
    fields: JsonObject = {
        "dry_run": dry_run,
        "from": ref_point(from_),
        "onto": ref_point(onto),
        "branch": branch_point(branch),
        "patches": [patch_entry(outcome, today) for outcome in replay.outcomes],
        "asked_again": asked_entries(replay.asked),
        "summary": _summary([outcome.verdict for outcome in replay.outcomes]),
    }
    return document(command, fields)


def status_document(
    series: Series,
    ledger: Ledger,
    policies: Mapping[PatchName, Policy | PatchFormatError] | None = None,
    today: date | None = None,
) -> JsonObject:
    """Give the recorded state in the same shape; `from` and `onto` are both the recorded base, None before a carry.

    A patch that was never carried has the verdict null. Additional: each patch's `standing` and `made_for`, the number
    of patches in the ledger, and the patch files that the series does not name.
    """
    record = series.record
    base = record.base if record is not None else None
    records = {patch.name: patch for patch in record.patches} if record is not None else {}
    known = [(entry, records.get(entry.patch.name)) for entry in series.entries]
    fields: JsonObject = {
        "dry_run": True,
        "from": ref_point(base),
        "onto": ref_point(base),
        "branch": branch_point(_branch(record)),
        "patches": [
            {**_recorded(entry, patch), "policy": policy_entry((policies or {}).get(entry.patch.name), today)}
            for entry, patch in known
        ],
        "summary": {
            **_summary([patch.verdict for _, patch in known if patch is not None]),
            "total": len(series.entries),
        },
        "asked_again": [],
        "ledger": len(ledger.entries),
        "strays": [*series.strays],
    }
    return document("status", fields)


def patch_entry(outcome: PatchOutcome, today: date | None = None) -> JsonObject:
    """Give one patch of a replay; its notes are those of its files too."""
    return {
        "name": str(outcome.name),
        "title": outcome.before.message.title,
        **_judged(outcome.verdict, outcome.rung),
        "class": _value(outcome.review),
        "needs_review": outcome.needs_review,
        "held": outcome.held,
        "blocked_by": [str(name) for name in outcome.blocked_by],
        "notes": [*all_notes(outcome)],
        "files": [file_entry(file) for file in outcome.files],
        "absorbed_by": _absorbed_by(outcome),
        "landed_in": [upstream_commit(commit) for commit in outcome.landed_in],
        "policy": policy_entry(outcome.policy, today),
        "broken_by": None if outcome.broken_by is None else upstream_commit(outcome.broken_by),
    }


def file_entry(file: FileOutcome) -> JsonObject:
    """Give one file of a patch."""
    return {
        "path": text(file.path),
        "old_path": text(file.old_path) if file.old_path is not None else None,
        **_judged(file.verdict, file.rung),
        "anchors": [*anchors_of(file)],
        "evidence": file.evidence,
        "absorbed_edits": [*file.absorbed_edits],
        "conflicts": [conflict_entry(conflict) for conflict in file.conflicts],
    }


def conflict_entry(conflict: Conflict) -> JsonObject:
    """Give one open place, without its sides."""
    return {"kind": conflict.kind.value, "reason": conflict.reason, "anchor": conflict.anchor}


def ref_point(point: RefPoint | None) -> Json:
    """Give an upstream state as people call it and as git knows it."""
    return {"ref": point.ref, "commit": point.commit} if point is not None else None


def branch_point(branch: BuiltBranch | None) -> Json:
    """Give a branch and its commit."""
    return {"name": branch.name, "commit": branch.commit} if branch is not None else None


def upstream_commit(commit: UpstreamCommit) -> JsonObject:
    """Give a commit of upstream; its author date in ISO 8601, in the author's own time."""
    return {
        "commit": commit.commit,
        "subject": commit.subject,
        "author_date": iso_date(commit.date),
        "pull_request": commit.pull_request,
    }


def _absorbed_by(outcome: PatchOutcome) -> Json:
    """Say what completed an absorbed patch; the commit is null where history does not show it."""
    if outcome.absorbed_how is None:
        return None
    by = outcome.absorbed_by
    nobody: JsonObject = {"commit": None, "subject": None, "author_date": None, "pull_request": None}
    return {**(nobody if by is None else upstream_commit(by)), "how": outcome.absorbed_how.value}


def _branch(record: Record | None) -> BuiltBranch | None:
    if record is None or record.branch is None or record.branch_commit is None:
        return None
    return BuiltBranch(record.branch, record.branch_commit)


def _summary(verdicts: Sequence[Verdict]) -> JsonObject:
    return {"total": len(verdicts), **{verdict.value: verdicts.count(verdict) for verdict in TOLD_ORDER}}


def _value(member: ReviewClass | None) -> Json:
    return member.value if member is not None else None


def _judged(verdict: Verdict | None, rung: Rung | None) -> JsonObject:
    return {
        "verdict": verdict.value if verdict is not None else None,
        "rung": rung.value if rung is not None else None,
    }


def _to_look_at(patch: PatchRecord | None) -> bool:
    if patch is None or patch.review is None:
        return False
    return patch.review.needs_review and not patch.verdict.needs_person


def _held(entry: Entry, patch: PatchRecord | None) -> bool:
    if entry.standing is not Standing.NOT_CARRIED or patch is None:
        return False
    return not patch.verdict.needs_person and patch.verdict is not Verdict.GUARDED


def _recorded(entry: Entry, patch: PatchRecord | None) -> JsonObject:
    review = patch.review if patch is not None else None
    return {
        "name": str(entry.patch.name),
        "title": entry.patch.message.title,
        **_judged(patch.verdict if patch is not None else None, patch.rung if patch is not None else None),
        "class": _value(review),
        "needs_review": _to_look_at(patch),
        "held": _held(entry, patch),
        "blocked_by": [],
        "notes": [*patch.notes] if patch is not None else [],
        "files": [_file_record(file) for file in patch.files] if patch is not None else [],
        "absorbed_by": None,
        "landed_in": [],
        "broken_by": None,
        "standing": entry.standing.value,
        "made_for": ref_point(patch.made_for) if patch is not None else None,
    }


def _file_record(file: FileRecord) -> JsonObject:
    return {
        "path": file.path,
        "old_path": file.old_path,
        **_judged(file.verdict, file.rung),
        "anchors": [*dict.fromkeys(fact.anchor for fact in file.facts)],
        "evidence": file.evidence,
        "absorbed_edits": [*file.absorbed_edits],
        "conflicts": [],
    }
