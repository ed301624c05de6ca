"""From a replay to what is published: the new series with its record, the ledger's new entries, the commits' texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.outcome import Answer
from patchq.model.patch import Trailer
from patchq.model.series import (
    Entry,
    FileRecord,
    LedgerEntry,
    PatchRecord,
    Record,
    RefPoint,
    Series,
    Standing,
)
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest
from patchq.queue.landed import named_apart
from patchq.queue.lineup import line_up
from patchq.queue.retire import Retired, landed_entry, ledger_after, needed_below, retired_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.outcome import FileOutcome, PatchOutcome, Replay
    from patchq.model.patch import Patch
    from patchq.model.series import Ledger

PATCH_TRAILER = "Patchq-Patch"


@dataclass(frozen=True, slots=True)
class Settled:
    """What a replay leaves to publish. `series` has its record; `retired` are those of `ledger` that left just now."""

    series: Series
    retired: tuple[LedgerEntry, ...]
    ledger: Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The branch that the carried patches make: its short name and the commit at its tip."""

    branch: str
    commit: str


def settle(
    old: Series, replay: Replay, *, ref: str, onto: RefPoint, origin: RefPoint, built: Built, past: Retired
) -> Settled:
    """Make the series of `ref` from the outcomes of replaying `old` (which fits `origin`) onto `onto`.

    Carried patches come with their refreshed text, absorbed ones leave for the ledger, all others stay at their place
    as not carried, with the text and the base that they had; so do entries that the replay did not try. Those of the
    ledger (`past`) that upstream no longer has are back at their old place. Of a partial patch the half that upstream
    has goes to the ledger by itself.
    """
    entries: list[Entry] = []
    records: list[PatchRecord] = []
    retired: list[LedgerEntry] = []
    gone: list[PatchName] = []
    below: list[Patch] = []  # what the text of the next patch stands on
    outcomes = {outcome.name: outcome for outcome in replay.outcomes}
    answers = {asked.name: asked.answer for asked in replay.asked}
    before: PatchName | None = None
    for slot in line_up(old.entries, past.asked, past.ledger):
        name = slot.name if isinstance(slot, LedgerEntry) else slot.patch.name
        known = None if old.record is None else old.record.find(name)
        outcome = outcomes.get(name)
        fits = _fits(slot, known, origin)
        stands_on: tuple[bytes, ...] = ()
        if outcome is not None and (outcome.verdict is Verdict.ABSORBED or outcome.landed is not None):
            stands_on = _below(outcome.before, below) if fits.tree == origin.tree else _kept_below(outcome.before, past)
        if isinstance(slot, LedgerEntry) and answers.get(name) is not Answer.RETURNED:
            gone.append(name)
        elif outcome is None:
            entries.extend([slot] if isinstance(slot, Entry) else [])
            records.extend([] if known is None else [known])
        elif outcome.verdict is Verdict.ABSORBED and not outcome.held:
            retired.append(retired_entry(outcome, onto, after=before, made_for=fits, stands_on=stands_on))
            gone.append(name)
        else:
            standing = Standing.NOT_CARRIED if outcome.after is None else Standing.CARRIED
            text = outcome.after or outcome.fresh
            patch = text or outcome.before
            entries.append(Entry(patch=patch, standing=standing))
            made_for = onto if text is not None else fits
            first = "ledger" if isinstance(slot, LedgerEntry) else "series" if known is None else known.origin
            records.append(patch_record(outcome, patch, made_for=made_for, origin=first))
            if outcome.landed is not None:
                retired.append(
                    _half(outcome, outcome.landed, onto, old, past, after=before, made_for=fits, stands_on=stands_on)
                )
                gone.append(retired[-1].name)
        if isinstance(slot, Entry) and outcome is not None and fits.tree == origin.tree and _is_below(slot, outcome):
            below.append(outcome.before)
        before = name
    returned = {asked.name: asked.by for asked in replay.asked if asked.answer is Answer.RETURNED}
    ledger = ledger_after(past.ledger, retired=retired, returned=returned, onto=onto)
    record = Record(
        base=onto,
        branch=built.branch,
        branch_commit=built.commit,
        patches=tuple(records),
        carried_from=_carried_from(old.record, origin, onto),
        retired=_retired(old.record, past, gone),
    )
    series = Series(ref=ref, entries=tuple(entries), lines=old.lines, record=record)
    return Settled(series, tuple(retired), ledger)


def _half(
    outcome: PatchOutcome,
    part: Patch,
    onto: RefPoint,
    old: Series,
    past: Retired,
    *,
    after: PatchName | None,
    made_for: RefPoint,
    stands_on: Sequence[bytes],
) -> LedgerEntry:
    """Write down the landed half of a partial patch; found again, as at another ref, it keeps its name."""
    taken = {entry.patch.name for entry in old.entries}
    taken |= {entry.name for entry in past.ledger.entries if (entry.part_of, entry.raw) != (outcome.name, part.raw)}
    half = named_apart(part, outcome.name, taken)
    return landed_entry(outcome, half, onto, after=after, made_for=made_for, stands_on=stands_on)


def _is_below(entry: Entry, outcome: PatchOutcome) -> bool:
    """Whether later texts were made with the patch below them: not an open one, nor one that a condition kept out."""
    if outcome.verdict is Verdict.GUARDED:
        return entry.standing is Standing.CARRIED
    return not outcome.open


def _fits(slot: Entry | LedgerEntry, known: PatchRecord | None, origin: RefPoint) -> RefPoint:
    """Return the upstream state that a text fits; one edited since it was recorded was made to fit `origin`."""
    if isinstance(slot, LedgerEntry):
        return slot.made_for or origin
    return origin if known is None or known.digest != patch_digest(slot.patch.raw) else known.made_for


def _below(patch: Patch, below: Sequence[Patch]) -> tuple[bytes, ...]:
    return tuple(earlier.raw for earlier in needed_below(patch, below))


def _kept_below(patch: Patch, past: Retired) -> tuple[bytes, ...]:
    """Return what a text stands on that came from the ledger and has not been carried since."""
    known = past.ledger.find(patch.name)
    return known.stands_on if known is not None and known.raw == patch.raw else ()


def _retired(record: Record | None, past: Retired, gone: Sequence[PatchName]) -> tuple[PatchName, ...] | None:
    """Name what the series has left to upstream; a build asks nothing and leaves the answer as it was."""
    if not gone and not past.asked:
        return None if record is None else record.retired
    return tuple(gone)


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
        landed_in=outcome.landed_in if outcome.verdict is Verdict.PARTIAL else (),
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
        absorbed_edits=file.absorbed_edits,
    )


def _evidence(files: Sequence[FileOutcome]) -> str:
    return "; ".join(dict.fromkeys(file.evidence for file in files))


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
