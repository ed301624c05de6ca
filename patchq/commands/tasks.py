"""The tasks of a replay: every text on the tree that it fits, the renames on the way, what upstream has changed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from patchq.commands.recalling import ground_of, lineage_of, recall_task
from patchq.errors import GitError
from patchq.gitstore.branches import is_ancestor
from patchq.gitstore.objects import CommitTree
from patchq.gitstore.partial import prefetch
from patchq.gitstore.renames import renames, upstream_new
from patchq.model.series import LedgerEntry, Standing
from patchq.model.verdict import Verdict
from patchq.patchfile.read import patch_digest
from patchq.queue.lineup import line_up
from patchq.queue.overlay import Overlay
from patchq.queue.replay import Journey, Place, Task
from patchq.queue.retire import needed_below
from patchq.queue.unfit import fits as fits_tree
from patchq.reapply.describe import HashAlgorithm

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from patchq.commands.replaying import Trip
    from patchq.commands.workspace import Workspace
    from patchq.gitstore.objects import ObjectReader
    from patchq.model.patch import Patch
    from patchq.model.series import Entry, RefPoint
    from patchq.model.tree import TreeReader


def tasks_of(
    workspace: Workspace, trip: Trip, reader: ObjectReader, still: Collection[LedgerEntry]
) -> tuple[tuple[Task, ...], Journey]:
    """Return the patches of `trip` in order, those of the ledger but for `still` among them, and where they go."""
    repo = workspace.repo
    base, onto = CommitTree(reader, trip.origin.tree), CommitTree(reader, trip.onto.tree)
    find = cache(workspace.find)  # most patches fit the same few states, and each question is a process or two
    holds = cache(partial(is_ancestor, repo, of=trip.onto.commit))
    tasks = []
    apart: dict[str, list[Patch]] = {}  # texts that do not fit the base of the series, by the tree that they fit
    touched: dict[str, set[bytes]] = {trip.origin.tree: set()}  # files by the tree that a text fits
    for slot in line_up(trip.series.entries, trip.past.asked, trip.past.ledger):
        if isinstance(slot, LedgerEntry):
            if slot in still:
                continue
            own = None if slot.made_for is None else find(slot.made_for)
            fits = None if own is None else CommitTree(reader, own.tree)
            task = recall_task(slot, fits, lineage_of(slot, trip.onto, holds))
        elif trip.tried is not None and slot.patch not in trip.tried:
            continue
        else:
            own = _own_base(trip, slot, find)
            earlier = [] if own is None else apart.setdefault(own.tree, [])
            fits = None if own is None else CommitTree(reader, own.tree)
            ground = None if fits is None else _ground(trip, slot, fits, earlier)
            task = Task(slot.patch, ground, place=_place(trip, slot))
            earlier.append(slot.patch)
        tasks.append(replace(task, ruling=trip.ruling(task.patch)))
        tree = trip.origin.tree if own is None else own.tree
        touched.setdefault(tree, set()).update(_old_paths(task.patch))
    moved: dict[bytes, bytes] = {}
    for tree, paths in reversed(touched.items()):  # what the series itself stands on has the last word
        # A blobless clone would fetch what is missing file by file, as it is read.
        prefetch(repo, CommitTree(reader, tree), paths)
        found = renames(repo, tree, trip.onto.tree, paths)
        prefetch(repo, onto, {found.get(path, path) for path in paths})
        moved.update(found)

    known: dict[str, tuple[bytes, ...]] = {}

    def changed(since: TreeReader) -> tuple[bytes, ...]:
        while isinstance(since, Overlay):
            since = since.below
        if not isinstance(since, CommitTree):
            return ()
        if since.tree not in known:
            known[since.tree] = upstream_new(repo, since.tree, onto.tree)
            prefetch(repo, onto, known[since.tree])
        return known[since.tree]

    algorithm = HashAlgorithm(repo.object_format)
    return tuple(tasks), Journey(base=base, onto=onto, renames=moved, algorithm=algorithm, changed=changed)


def _place(trip: Trip, entry: Entry) -> Place:
    """Say whether later texts have the patch below them; one that its condition has kept out they have not."""
    known = None if trip.series.record is None else trip.series.record.find(entry.patch.name)
    guarded = known is not None and known.verdict is Verdict.GUARDED
    return Place.BESIDE if guarded and entry.standing is Standing.NOT_CARRIED else Place.BELOW


def _ground(trip: Trip, entry: Entry, base: TreeReader, earlier: Sequence[Patch]) -> TreeReader:
    """Return what a text fits that is not made for its folder; it may need others below it."""
    known = trip.past.ledger.find(entry.patch.name)
    if known is not None and known.raw == entry.patch.raw:
        return ground_of(base, known.stands_on)
    below = needed_below(entry.patch, earlier)
    return ground_of(base, [patch.raw for patch in below]) if below and not fits_tree(entry.patch, base) else base


def _own_base(trip: Trip, entry: Entry, find: Callable[[RefPoint], RefPoint | None]) -> RefPoint | None:
    """Return the upstream state that a patch's text fits, if that is another one than its folder stands on.

    A patch edited by hand since it was recorded is taken to have been made to fit the folder that it lies in.
    """
    record = trip.series.record
    known = None if record is None else record.find(entry.patch.name)
    if known is None or known.digest != patch_digest(entry.patch.raw):
        return None
    found = find(known.made_for)
    if found is None:
        raise GitError(
            f"{entry.patch.name} was made for {known.made_for.ref} ({known.made_for.commit[:12]}), which is not here",
            hint=f"git fetch --tags, or edit the patch until it fits {trip.series.ref}",
        )
    return None if found.tree == trip.origin.tree else found


def _old_paths(patch: Patch) -> set[bytes]:
    return {change.old_path for change in patch.changes if change.old_path is not None}
