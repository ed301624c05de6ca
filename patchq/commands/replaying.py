"""A replay planned and run: from which series to which upstream, in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.commands.policing import rulings_for
from patchq.commands.progress import QUIET, progress
from patchq.commands.recalling import retired_of, unchanged
from patchq.commands.tasks import tasks_of
from patchq.errors import GitError, SeriesError
from patchq.gitstore.objects import ObjectReader
from patchq.gitstore.refs import resolve, short_ref
from patchq.model.outcome import Answer, Asked
from patchq.model.policy import Ruling
from patchq.model.resolution import Resolutions
from patchq.model.series import RefPoint
from patchq.queue.remember import remember
from patchq.queue.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.outcome import Replay
    from patchq.model.patch import Patch
    from patchq.model.series import Series
    from patchq.model.verdict import Accept
    from patchq.queue.retire import Retired


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """One planned replay: the series with the upstream state it fits (`origin`), and where it goes.

    `ref` is the folder name for `onto`. `state` is the source folder's digest from before it was read. `tried` are the
    patches to replay, None for all. `past` is the ledger, with what is asked again. `ruling` says what the policy of a
    patch means there; a build asks no policy. `resolutions` are what people have decided before.
    """

    series: Series
    origin: RefPoint
    onto: RefPoint
    ref: str
    state: str
    past: Retired
    tried: tuple[Patch, ...] | None = None
    ruling: Callable[[Patch], Ruling] = lambda _: Ruling()
    resolutions: Resolutions = field(default_factory=Resolutions)


def plan_trip(workspace: Workspace, target: str, source: str | None) -> Trip:
    """Resolve both ends. `target` is a ref as typed, `source` the folder to start from (None: the current one)."""
    onto = resolve(workspace.repo, target)
    ref = short_ref(workspace.repo, onto)
    shown = RefPoint(_as_typed(workspace, target, ref, onto), onto.commit, onto.tree)
    return trip_to(workspace, shown, ref, source)


def trip_to(workspace: Workspace, onto: RefPoint, ref: str, source: str | None) -> Trip:
    """Plan a trip to a state that is known already, whose folder is `ref`; else as `plan_trip`."""
    state, series = load_source(workspace, source)
    past = retired_of(workspace, series)
    return Trip(
        series=series,
        origin=workspace.base_of(series),
        onto=onto,
        ref=ref,
        state=state,
        past=past,
        ruling=rulings_for(workspace, series, onto, ref),
        resolutions=workspace.store.resolutions(),
    )


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


def run_trip(workspace: Workspace, trip: Trip, accept: Accept, session: Session | None = None) -> Replay:
    """Replay in memory; reads objects, writes nothing. `session` is whom it tells how far it has come."""
    with ObjectReader(workspace.repo) as reader:
        still = [entry for entry in trip.past.asked if unchanged(entry, reader, trip.onto)]
        tasks, journey = tasks_of(workspace, trip, reader, still)
        journey = replace(journey, accept=accept, resolutions=trip.resolutions)
        with progress(session or QUIET, "carrying patches", len(tasks)) as on:
            outcome = replay(on.count(tasks), journey)
    asked = (*(Asked(entry.name, Answer.ABSORBED) for entry in still), *outcome.asked)
    return remember(replace(outcome, asked=asked), trip.series.record, trip.onto)
