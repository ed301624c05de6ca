"""All that a report tells: every patch through all refs, the texts it had there, and what has left the series."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.patchfile.read import read_patch
from patchq.report.comparison import message_differs
from patchq.report.interdiff import compare
from patchq.report.matrix import Column, rows_of
from patchq.report.state import recorded_states
from patchq.report.status import to_carry
from patchq.report.todo import Stage, next_steps
from patchq.report.words import Subject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.errors import PatchFormatError
    from patchq.model.names import PatchName
    from patchq.model.patch import GitDate, Patch
    from patchq.model.policy import Policy
    from patchq.model.series import Ledger, Manifest, PatchRecord, Series
    from patchq.report.interdiff import Compared
    from patchq.report.ledger import Held
    from patchq.report.rows import Item
    from patchq.report.state import State


@dataclass(frozen=True, slots=True)
class Version:
    """A patch as it stands at some refs in a row, newest first; `patch` has the line numbers of the first of them.

    `since` is the interdiff from the next older version to this one; `notes` say what else is new.
    """

    refs: tuple[str, ...]
    patch: Patch
    since: tuple[Compared, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One patch: its versions, newest first, what the records say by ref, and its entry in the ledger if it has one.

    `kept` is its last text where it is in the ledger and in no series.
    """

    name: PatchName
    versions: tuple[Version, ...]
    records: Mapping[str, PatchRecord]
    held: Held | None
    kept: Patch | None

    @property
    def newest(self) -> Patch | None:
        """The text that says most about it today; None where nobody kept one."""
        return self.versions[0].patch if self.versions else self.kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A whole series. `columns` has all refs, newest first; `dates` says when commits of upstream were made.

    `now` is the series of the current ref, `states` are its patches as recorded, and `folder` is where it lies, as the
    user would type it.
    """

    upstream: str | None
    current: str | None
    folder: str
    now: Series | None
    columns: tuple[Column, ...]
    lives: tuple[Life, ...]
    states: tuple[State, ...]
    ledger: tuple[Held, ...]
    dates: Mapping[str, GitDate] = field(default_factory=dict)

    def steps(self, program: str) -> list[Item]:
        """Say what is to be done next; `program` is how patchq is called here."""
        if self.now is None:
            return []
        subject = self.subject(program)
        return [*next_steps(self.states, subject, Stage.PUBLISHED), *to_carry(self.now, program)]

    def subject(self, program: str) -> Subject:
        """Give what advice on the current ref is about."""
        record = None if self.now is None else self.now.record
        ref = record.base.ref if record is not None else self.current or "REF"
        return Subject(ref=ref, folder=self.folder, program=program)


def overview_of(
    manifest: Manifest,
    series: Sequence[Series],
    ledger: Ledger,
    held: Sequence[Held],
    *,
    folder: str,
    dates: Mapping[str, GitDate],
    policies: Mapping[PatchName, Policy | PatchFormatError],
) -> Overview:
    """Put a report together from the `series` of all refs, newest first, and the ledger.

    `policies` are those of the current series. PatchFormatError where the ledger has a text that is no patch.
    """
    columns = tuple(
        Column(one.ref, {entry.patch.name: entry.standing for entry in one.entries}, one.record) for one in series
    )
    in_ledger = {one.entry.name: one for one in held}
    names = dict.fromkeys([*rows_of(columns, ledger), *in_ledger])
    texts: dict[PatchName, list[tuple[str, Patch]]] = {name: [] for name in names}
    for one in series:
        for entry in one.entries:
            texts[entry.patch.name].append((one.ref, entry.patch))
    records = [(one.ref, {it.name: it for it in one.record.patches} if one.record else {}) for one in series]
    lives = [
        Life(
            name=name,
            versions=_versions(texts[name]),
            records={ref: known[name] for ref, known in records if name in known},
            held=in_ledger.get(name),
            kept=None if texts[name] else _kept(in_ledger.get(name)),
        )
        for name in names
    ]
    now = next((one for one in series if one.ref == manifest.current), None)
    return Overview(
        upstream=manifest.upstream,
        current=manifest.current,
        folder=folder,
        now=now,
        columns=columns,
        lives=tuple(lives),
        states=() if now is None else recorded_states(now, policies),
        ledger=tuple(held),
        dates=dates,
    )


def _versions(texts: Sequence[tuple[str, Patch]]) -> tuple[Version, ...]:
    """Join refs at which a patch says the same; line numbers and blob ids do not count."""
    out: list[Version] = []
    for ref, patch in reversed(texts):
        older = out[-1] if out else None
        if older is None:
            out.append(Version((ref,), patch))
            continue
        since = () if patch.raw == older.patch.raw else compare(older.patch, patch)
        notes = ("the message differs",) if message_differs(older.patch, patch) else ()
        if since or notes:
            out.append(Version((ref,), patch, since, notes))
        else:
            out[-1] = Version((ref, *older.refs), patch, older.since, older.notes)
    return tuple(reversed(out))


def _kept(held: Held | None) -> Patch | None:
    if held is None or not held.entry.raw:
        return None
    return read_patch(held.entry.name, held.entry.raw, file=f"ledger.yaml: {held.entry.name}")
