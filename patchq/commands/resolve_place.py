"""Where a run of `patchq resolve` stands: its trip, and a patch at its turn with what is in question of it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.commands.publishing import build_commits
from patchq.commands.replaying import trip_to
from patchq.commands.tasks import tasks_of
from patchq.gitstore.objects import ObjectReader
from patchq.model.outcome import Replay
from patchq.queue.replay import open_patch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.replaying import Trip
    from patchq.commands.sitting import Sitting
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome
    from patchq.queue.opened import Opened


def trip_of(workspace: Workspace, sitting: Sitting) -> Trip:
    """Plan where the run goes: to the commit that it was begun for, with what is decided so far."""
    trip = trip_to(workspace, sitting.onto, sitting.ref, sitting.source)
    return replace(trip, resolutions=trip.resolutions.joined(sitting.decided.entries))


@dataclass(frozen=True, slots=True)
class Place:
    """A patch at its turn: its outcome, what is in question (None: nothing to lay out), and the commit below it."""

    outcome: PatchOutcome
    opened: Opened | None
    commit: str


@contextmanager
def place_of(workspace: Workspace, sitting: Sitting, trip: Trip, name: PatchName) -> Iterator[Place | None]:
    """Replay up to `name`; None where the series has it no longer. The files are readable within the block."""
    with ObjectReader(workspace.repo) as reader:
        tasks, journey = tasks_of(workspace, trip, reader, ())
        journey = replace(journey, accept=sitting.accept, resolutions=trip.resolutions)
        outcomes, opened = open_patch(tasks, journey, name)
        if not outcomes or outcomes[-1].name != name:
            yield None
            return
        commit = build_commits(workspace, trip.onto.commit, Replay(outcomes[:-1]))
        yield Place(outcomes[-1], opened, commit)
