"""Everything that a replay needs, from the stores: the tasks, both trees, the renames between them."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import GitError, SeriesError
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import prefetch
from patchq.gitstore.refs import resolve, short_ref
from patchq.gitstore.renames import renames, upstream_new
from patchq.model.series import RefPoint
from patchq.patchfile.read import patch_digest
from patchq.queue.remember import remember
from patchq.queue.replay import Journey, Task, replay
from patchq.reapply.describe import HashAlgorithm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.workspace import Workspace
    from patchq.model.outcome import Replay
    from patchq.model.patch import Patch
    from patchq.model.series import Entry, Series
    from patchq.model.tree import TreeReader
    from patchq.model.verdict import Accept


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One planned replay: the series with the upstream state it fits (`origin`), and where it goes.

    `ref` is the folder name for `onto`. `state` is the source folder's digest from before it was read. `tried` are the
    patches to replay, None for all.
    """

    series: Series
    origin: RefPoint
    onto: RefPoint
    ref: str
    state: str
    tried: tuple[Patch, ...] | None = None


def plan_trip(workspace: Workspace, target: str, source: str | None) -> Trip:
    """Resolve both ends. `target` is a ref as typed, `source` the folder to start from (None: the current one)."""
    onto = resolve(workspace.repo, target)
    ref = short_ref(workspace.repo, onto)
    shown = RefPoint(_as_typed(workspace, target, ref, onto), onto.commit, onto.tree)
    return trip_to(workspace, shown, ref, source)


def trip_to(workspace: Workspace, onto: RefPoint, ref: str, source: str | None) -> Trip:
    """Plan a trip to a state that is known already, whose folder is `ref`; else as `plan_trip`."""
    state, series = load_source(workspace, source)
    return Trip(series=series, origin=workspace.base_of(series), onto=onto, ref=ref, state=state)


def _as_typed(workspace: Workspace, target: str, short: str, onto: RefPoint) -> str:
    """Call a ref by its short name only if that means the same here: a local `main` may lag behind `origin/main`."""
    try:
        same = resolve(workspace.repo, short).commit == onto.commit
    except GitError:
        same = False
    return short if same and target.startswith("refs/") else target


def load_source(workspace: Workspace, ref: str | None) -> tuple[str, Series]:
    """Load the series of `ref` (None: the current one), which must have patches; with it, its folder's state before."""
    hint = "patchq import FILE, or patchq import A..B"
    chosen = ref if ref is not None else workspace.manifest.current
    if chosen is None:
        raise SeriesError("the series has no patches yet", hint=hint)
    state = workspace.store.state(chosen)
    series = workspace.store.load(chosen)
    if not series.entries and series.record is None:
        raise SeriesError(f"the series of {chosen} is empty; there is nothing to carry", hint=hint)
    return state, series


def run_trip(workspace: Workspace, trip: Trip, accept: Accept) -> Replay:
    """Replay in memory; reads objects, writes nothing."""
    with _tasks(workspace, trip) as (tasks, journey):
        outcome = replay(tasks, replace(journey, accept=accept))
    return remember(outcome, trip.series.record, trip.onto)


@contextmanager
def _tasks(workspace: Workspace, trip: Trip) -> Iterator[tuple[tuple[Task, ...], Journey]]:
    repo = workspace.repo
    with ObjectReader(repo) as reader:
        base, onto = CommitTree(reader, trip.origin.tree), CommitTree(reader, trip.onto.tree)
        moved: dict[bytes, bytes] = {}
        tasks = []
        stacked: set[bytes] = set()
        for entry in trip.series.entries:
            if trip.tried is not None and entry.patch not in trip.tried:
                continue
            own = _own_base(workspace, trip, entry)
            paths = _old_paths(entry.patch)
            if own is None:
                stacked |= paths
                tasks.append(Task(entry.patch))
            else:
                moved.update(renames(repo, own.tree, trip.onto.tree, paths))
                tasks.append(Task(entry.patch, CommitTree(reader, own.tree)))
        # A blobless clone would fetch what is missing file by file, as it is read.
        prefetch(repo, base, stacked)
        moved.update(renames(repo, trip.origin.tree, trip.onto.tree, stacked))
        prefetch(repo, onto, {moved.get(path, path) for path in stacked})

        known: dict[str, tuple[bytes, ...]] = {}

        def changed(since: TreeReader) -> tuple[bytes, ...]:
            if not isinstance(since, CommitTree):
                return ()
            if since.tree not in known:
                known[since.tree] = upstream_new(repo, since.tree, onto.tree)
                prefetch(repo, onto, known[since.tree])
            return known[since.tree]

        algorithm = HashAlgorithm(repo.object_format)
        yield tuple(tasks), Journey(base=base, onto=onto, renames=moved, algorithm=algorithm, changed=changed)


def _own_base(workspace: Workspace, trip: Trip, entry: Entry) -> RefPoint | None:
    """Return the upstream state that a patch's text fits, if that is another one than its folder stands on.

    A patch edited by hand since it was recorded is taken to have been made to fit the folder that it lies in.
    """
    record = trip.series.record
    known = None if record is None else record.find(entry.patch.name)
    if known is None or known.digest != patch_digest(entry.patch.raw):
        return None
    found = workspace.find(known.made_for)
    if found is None:
        raise GitError(
            f"{entry.patch.name} was made for {known.made_for.ref} ({known.made_for.commit[:12]}), which is not here",
            hint=f"git fetch --tags, or edit the patch until it fits {trip.series.ref}",
        )
    return None if found.tree == trip.origin.tree else found


def _old_paths(patch: Patch) -> set[bytes]:
    return {change.old_path for change in patch.changes if change.old_path is not None}
