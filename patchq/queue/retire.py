"""The ledger after a carry: patches that have left the series, patches that came back, each name once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.change import ChangeKind
from patchq.model.series import Ledger, LedgerEntry, Seen, Sighting
from patchq.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from patchq.model.judgement import UpstreamCommit
    from patchq.model.names import PatchName
    from patchq.model.outcome import FileOutcome, PatchOutcome
    from patchq.model.patch import Patch
    from patchq.model.series import RefPoint


@dataclass(frozen=True, slots=True)
class Retired:
    """The ledger as a carry finds it, and those of its entries that are asked again, with the base of their texts."""

    ledger: Ledger
    asked: tuple[LedgerEntry, ...] = ()

    def find(self, name: PatchName) -> LedgerEntry | None:
        """Return the entry of a patch that is asked again, if it is one."""
        return next((entry for entry in self.asked if entry.name == name), None)


def retired_entry(
    outcome: PatchOutcome,
    onto: RefPoint,
    *,
    after: PatchName | None,
    made_for: RefPoint,
    stands_on: Sequence[bytes],
) -> LedgerEntry:
    """Write down a patch that `onto` has; `made_for` and `stands_on` say what its text fits."""
    by = outcome.landed_in[0] if outcome.landed_in else None
    return LedgerEntry(
        name=outcome.name,
        title=outcome.before.message.title,
        seen_at=onto,
        how="" if outcome.absorbed_how is None else outcome.absorbed_how.value,
        evidence="; ".join(dict.fromkeys(file.evidence for file in outcome.files)),
        after=after,
        raw=outcome.before.raw,
        commit=None if by is None else by.commit,
        subject=None if by is None else by.subject,
        pull_request=None if by is None else by.pull_request,
        made_for=made_for,
        stands_on=tuple(stands_on),
        found_in=_places(outcome.files),
    )


def landed_entry(
    outcome: PatchOutcome,
    half: Patch,
    onto: RefPoint,
    *,
    after: PatchName | None,
    made_for: RefPoint,
    stands_on: Sequence[bytes],
) -> LedgerEntry:
    """Write down the half of a partial patch that `onto` has.

    Should it come back, it stands before the rest, whose `Expect:` may speak of it.
    """
    parts = [file for file in outcome.files if file.verdict in {Verdict.ABSORBED, Verdict.PARTIAL}]
    edits = [edit for file in parts for edit in file.absorbed_edits]
    # Where the patch has a file at another place than upstream it is always asked.
    moves = any(change.kind is ChangeKind.RENAME for change in outcome.before.changes)
    return replace(
        retired_entry(outcome, onto, after=after, made_for=made_for, stands_on=stands_on),
        name=half.name,
        part_of=outcome.name,
        evidence="; ".join(dict.fromkeys(edits or [file.evidence for file in parts])),
        raw=half.raw,
        found_in=() if moves else _places(parts),
    )


def _places(files: Iterable[FileOutcome]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.path.decode("utf-8", "surrogateescape") for file in files))


def needed_below(patch: Patch, below: Sequence[Patch]) -> tuple[Patch, ...]:
    """Return those of the patches `below` that change a file of `patch`, or a file of one of these, in order."""
    paths = _paths(patch)
    found: list[Patch] = []
    for earlier in reversed(below):
        touched = _paths(earlier)
        if paths & touched:
            paths |= touched
            found.append(earlier)
    return tuple(reversed(found))


def ledger_after(
    ledger: Ledger,
    *,
    retired: Iterable[LedgerEntry],
    returned: Mapping[PatchName, UpstreamCommit | None],
    onto: RefPoint,
) -> Ledger:
    """Return `ledger` with the entries `retired` at `onto`, and told which commit `returned` which others there.

    A name has one entry. One that is retired again keeps its place and what was seen of it before; its text is the
    latest. What came back stays, for another ref may still have it.
    """
    entries: dict[PatchName, LedgerEntry] = {}
    for old in ledger.entries:  # older ledgers had an entry for each ref
        entries[old.name] = _joined(entries.get(old.name), old)
    for new in retired:
        entries[new.name] = _joined(entries.get(new.name), new)
    for name, by in returned.items():
        entries[name] = _with(entries[name], _returned(onto, by))
    return Ledger(tuple(entries.values()))


def _returned(onto: RefPoint, by: UpstreamCommit | None) -> Sighting:
    if by is None:
        return Sighting(seen=Seen.RETURNED, at=onto)
    return Sighting(seen=Seen.RETURNED, at=onto, commit=by.commit, subject=by.subject, pull_request=by.pull_request)


def _joined(known: LedgerEntry | None, new: LedgerEntry) -> LedgerEntry:
    if known is None:
        return new
    history = known.sightings
    for sighting in new.sightings:
        history = _added(history, sighting)
    return replace(new, history=history if len(history) > 1 else (), part_of=new.part_of or known.part_of)


def _with(entry: LedgerEntry, sighting: Sighting) -> LedgerEntry:
    return replace(entry, history=_added(entry.sightings, sighting))


def _added(history: tuple[Sighting, ...], sighting: Sighting) -> tuple[Sighting, ...]:
    """Add what is new; the same thing seen at the same state again is told where it was."""
    known = [
        index for index, old in enumerate(history) if (old.seen, old.at.commit) == (sighting.seen, sighting.at.commit)
    ]
    if not known:
        return (*history, sighting)
    return (*history[: known[-1]], sighting, *history[known[-1] + 1 :])


def _paths(patch: Patch) -> set[bytes]:
    changes = patch.changes
    return {path for change in changes for path in (change.old_path, change.new_path) if path is not None}
