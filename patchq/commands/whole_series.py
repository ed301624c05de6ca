"""A series at all its refs: their order, what the ledger holds against the records, and all that a report tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.commands.policing import policies_of
from patchq.commands.progress import progress
from patchq.gitstore.history import known_dates
from patchq.report.ledger import Held
from patchq.report.overview import Overview, overview_of

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.series import Series


def newest_first(workspace: Workspace) -> tuple[str, ...]:
    """Give the refs that have a folder: the current one, then the others from the newest version down."""
    current, refs = workspace.manifest.current, workspace.store.refs()
    others = [ref for ref in reversed(refs) if ref != current]
    return (current, *others) if current is not None and current in refs else tuple(others)


def held_entries(workspace: Workspace) -> tuple[Held, ...]:
    """Put to each name's latest entry of the ledger what the records of all refs say of it."""
    latest = {entry.name: entry for entry in workspace.store.ledger().entries}
    refs = {ref: (workspace.store.names(ref), workspace.store.record(ref)) for ref in workspace.store.refs()}
    return tuple(
        Held(
            entry,
            tuple(ref for ref, (_, record) in refs.items() if record is not None and name in (record.retired or ())),
            tuple(ref for ref, (names, _) in refs.items() if name in names),
        )
        for name, entry in latest.items()
    )


def overview(session: Session, workspace: Workspace) -> Overview:
    """Read everything that a report tells; nothing is fetched, and nothing is written."""
    manifest = workspace.manifest
    refs = newest_first(workspace)
    with progress(session, "reading the series of all refs", len(refs)) as state:
        series = [workspace.store.load(ref) for ref in state.count(refs)]
    now = next((one for one in series if one.ref == manifest.current), None)
    held = held_entries(workspace)
    return overview_of(
        manifest,
        series,
        workspace.store.ledger(),
        held,
        folder=workspace.folder(manifest.current or "REF"),
        dates=known_dates(workspace.repo, _commits(series, held)),
        policies={} if now is None else policies_of(workspace, now),
    )


def _commits(series: list[Series], held: tuple[Held, ...]) -> list[str]:
    """Name the commits of upstream that a report speaks of."""
    told = [one.record.base.commit for one in series if one.record is not None]
    for one in held:
        for sighting in one.entry.sightings:
            told += [sighting.at.commit, *([sighting.commit] if sighting.commit is not None else [])]
    return sorted(set(told))
