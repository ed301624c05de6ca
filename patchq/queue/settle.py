"""From a replay to what is published: the new series with its record, the ledger's new entries, the commits' texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.patch import Trailer
from patchq.model.series import Entry, FileRecord, LedgerEntry, PatchRecord, Record, RefPoint, Series, Standing
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.outcome import FileOutcome, PatchOutcome, Replay
    from patchq.model.patch import Patch

PATCH_TRAILER = "Patchq-Patch"


@dataclass(frozen=True, slots=True)
class Settled:
    """What a replay leaves to publish. `series` has its record; `retired` are new entries for the ledger."""

    series: Series
    retired: tuple[LedgerEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The branch that the carried patches make: its short name and the commit at its tip."""

    branch: str
    commit: str


def settle(old: Series, replay: Replay, *, ref: str, onto: RefPoint, origin: RefPoint, built: Built) -> Settled:
    """Make the series of `ref` from the outcomes of replaying `old` (which fits `origin`) onto `onto`.

    Carried patches come with their refreshed text, absorbed ones leave for the ledger, all others stay at their place
    as not carried, with the text and the base that they had; so do entries that the replay did not try.
    """
    entries: list[Entry] = []
    records: list[PatchRecord] = []
    retired: list[LedgerEntry] = []
    before: PatchName | None = None
    outcomes = {outcome.name: outcome for outcome in replay.outcomes}
    for entry in old.entries:
        outcome = outcomes.get(entry.patch.name)
        known = None if old.record is None else old.record.find(entry.patch.name)
        if outcome is None:
            entries.append(entry)
            records.extend([] if known is None else [known])
            continue
        if outcome.verdict is Verdict.ABSORBED and not outcome.held:
            retired.append(_retired(outcome, onto, before))
        else:
            standing = Standing.NOT_CARRIED if outcome.after is None else Standing.CARRIED
            patch = outcome.after or outcome.before
            made_for = onto if outcome.after is not None else origin if known is None else known.made_for
            entries.append(Entry(patch=patch, standing=standing))
            first = "series" if known is None else known.origin
            records.append(patch_record(outcome, patch, made_for=made_for, origin=first))
        before = outcome.name
    record = Record(
        base=onto,
        branch=built.branch,
        branch_commit=built.commit,
        patches=tuple(records),
        carried_from=_carried_from(old.record, origin, onto),
    )
    return Settled(Series(ref=ref, entries=tuple(entries), lines=old.lines, record=record), tuple(retired))


def _carried_from(record: Record | None, origin: RefPoint, onto: RefPoint) -> RefPoint | None:
    """Name where the series came from; a trip that goes nowhere leaves the answer as it was."""
    if origin.tree != onto.tree:
        return origin
    return None if record is None else record.carried_from


def commit_message(patch: Patch) -> bytes:
    """Give the message of the patch's commit: its own, with the trailer that names the patch."""
    message = patch.message
    trailers = (*(t for t in message.trailers if t.key != PATCH_TRAILER), Trailer(PATCH_TRAILER, str(patch.name)))
    lines = b"".join(_line(trailer) for trailer in trailers)
    return b"\n\n".join(part for part in (message.subject, message.body) if part) + b"\n\n" + lines


def _line(trailer: Trailer) -> bytes:
    return f"{trailer.key}: {trailer.value}\n".encode("utf-8", "surrogateescape")


def patch_record(outcome: PatchOutcome, patch: Patch, *, made_for: RefPoint, origin: str) -> PatchRecord:
    """Write down what became of a patch; `patch` is its text as kept, `origin` says where it came from first."""
    return PatchRecord(
        name=outcome.name,
        verdict=outcome.verdict,
        rung=outcome.rung,
        review=outcome.review,
        digest=patch_digest(patch.raw),
        made_for=made_for,
        origin=origin,
        evidence=_evidence(outcome.files),
        notes=outcome.notes,
        files=tuple(_file(file) for file in outcome.files),
    )


def _file(file: FileOutcome) -> FileRecord:
    return FileRecord(
        path=_text(file.path),
        old_path=None if file.old_path is None else _text(file.old_path),
        verdict=file.verdict,
        rung=file.rung,
        evidence=file.evidence,
        facts=file.facts,
    )


def _retired(outcome: PatchOutcome, onto: RefPoint, after: PatchName | None) -> LedgerEntry:
    by = outcome.absorbed_by
    return LedgerEntry(
        name=outcome.name,
        title=outcome.before.message.title,
        seen_at=onto,
        how="" if outcome.absorbed_how is None else outcome.absorbed_how.value,
        evidence=_evidence(outcome.files),
        after=after,
        raw=outcome.before.raw,
        commit=None if by is None else by.commit,
        subject=None if by is None else by.subject,
        pull_request=None if by is None else by.pull_request,
    )


def _evidence(files: Sequence[FileOutcome]) -> str:
    return "; ".join(dict.fromkeys(file.evidence for file in files))


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
