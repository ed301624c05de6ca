"""Patches of the ledger on their way back: which ones are asked again, and on what tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.model.names import PatchName
from patchq.model.series import Entry, Retirement
from patchq.patchfile.read import read_patch
from patchq.queue.recall import Lineage, Recall, stack_of
from patchq.queue.replay import Task
from patchq.queue.retire import Retired
from patchq.queue.sides import Misfit
from patchq.queue.unfit import fits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from patchq.commands.workspace import Workspace
    from patchq.model.patch import Patch
    from patchq.model.series import LedgerEntry, RefPoint, Series
    from patchq.model.tree import TreeReader

_BELOW = PatchName("stands-on")


def retired_of(workspace: Workspace, series: Series) -> Retired:
    """Read the ledger, and choose what `series` asks again: what it has left to upstream, nothing that was dropped.

    A record that does not say what that is was written before anything was asked: then all of it is.
    """
    ledger = workspace.store.ledger()
    here = {entry.patch.name for entry in series.entries}
    told = None if series.record is None else series.record.retired
    latest = {entry.name: entry for entry in ledger.entries}
    asked = [
        entry
        for name, entry in latest.items()
        if name not in here
        and entry.reason is Retirement.ABSORBED
        # A series that does not name the landed half of a patch may still have the whole of it.
        and (name in told if told is not None else entry.part_of is None)
    ]
    return Retired(ledger, _with_bases(workspace, asked))


def text_of(entry: LedgerEntry) -> Patch:
    """Parse the last text of a retired patch; PatchFormatError that names the ledger."""
    return read_patch(entry.name, entry.raw, file=f"ledger.yaml: {entry.name}")


def with_retired(series: Series, past: Retired) -> Series:
    """Return `series` with the asked patches of the ledger behind it, for finding one by its name."""
    return replace(series, entries=(*series.entries, *(Entry(patch=text_of(entry)) for entry in past.asked)))


def unchanged(entry: LedgerEntry, reader: ObjectReader, onto: RefPoint) -> bool:
    """Whether the files that had the patch when it was last seen are the same in `onto`, which then has it too.

    Only trees are read. The very state where it was seen is replayed all the same, for what was found is told again.
    """
    if not entry.found_in or entry.seen_at.tree == onto.tree:
        return False
    seen, now = CommitTree(reader, entry.seen_at.tree), CommitTree(reader, onto.tree)
    paths = [path.encode("utf-8", "surrogateescape") for path in entry.found_in]
    try:
        return all(seen.find(path) == now.find(path) for path in paths)
    except GitError:  # a state that is not here, as in a shallow clone: then the patch itself is asked
        return False


def recall_task(entry: LedgerEntry, base: TreeReader | None, lineage: Lineage) -> Task:
    """Make the task that asks for a retired patch, on what its text fits; `base` None: not here."""
    ground = None if base is None else ground_of(base, entry.stands_on)
    return Task(text_of(entry), ground, Recall(entry, lineage))


def ground_of(base: TreeReader, stands_on: Sequence[bytes]) -> TreeReader:
    """Return `base` with the earlier patches on it that a text of the ledger needs; without them if they do not fit.

    Then the text itself does not fit either, and that is told.
    """
    if not stands_on:
        return base
    stack = stack_of(base, [read_patch(_BELOW, raw, file="ledger.yaml: stands_on") for raw in stands_on])
    return base if isinstance(stack, Misfit) else stack


def lineage_of(entry: LedgerEntry, onto: RefPoint, holds: Callable[[str], bool]) -> Lineage:
    """Say how `onto` stands to the state that was last seen to have the patch, or to the commit that brought it.

    `holds` says of a commit whether it is in the history of `onto`.
    """
    if entry.seen_at.tree == onto.tree:
        return Lineage.SAME
    return Lineage.LATER if holds(entry.commit or entry.seen_at.commit) else Lineage.OTHER


def _with_bases(workspace: Workspace, asked: Sequence[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """Find what the texts of older ledgers fit, which do not say it: where the series came from, or any base."""
    if all(entry.made_for is not None for entry in asked):
        return tuple(asked)
    records = {ref: workspace.store.record(ref) for ref in workspace.store.refs()}
    bases = [record.base for record in records.values() if record is not None]
    found = []
    with ObjectReader(workspace.repo) as reader:
        for entry in asked:
            record = records.get(entry.seen_at.ref)
            first = [] if record is None or record.carried_from is None else [record.carried_from]
            points = [] if entry.made_for is not None else dict.fromkeys([*first, *bases])
            found.append(next((one for point in points if (one := _made_for(workspace, entry, point, reader))), entry))
    return tuple(found)


def _made_for(workspace: Workspace, entry: LedgerEntry, point: RefPoint, reader: ObjectReader) -> LedgerEntry | None:
    base = workspace.find(point)
    applies = base is not None and fits(text_of(entry), CommitTree(reader, base.tree))
    return replace(entry, made_for=base) if applies else None
