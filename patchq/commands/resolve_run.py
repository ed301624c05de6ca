"""A run of `patchq resolve` from patch to patch: the next one is laid open, or all is published and cleared away."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.commands.blaming import blamed
from patchq.commands.crediting import credited
from patchq.commands.guarding import refuse_overwriting
from patchq.commands.publishing import publish_replay
from patchq.commands.replaying import run_trip
from patchq.commands.resolve_place import place_of, trip_of
from patchq.commands.resolve_told import tell_open, tell_published
from patchq.commands.sitting import Current, Sitting, load_sitting, save_sitting
from patchq.commands.taking_back import explained_returns
from patchq.commands.workspace import open_for_writing
from patchq.errors import ExitCode, SeriesError
from patchq.gitstore.operations import last_operation
from patchq.gitstore.repository import Repository
from patchq.gitstore.resolve_tree import close_tree, lay_out, open_tree
from patchq.gitstore.sitting_file import drop_sitting
from patchq.queue.laying import laying_of
from patchq.report.words import commit_digits
from patchq.text.conflict import Labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.commands.replaying import Trip
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName
    from patchq.model.outcome import Replay
    from patchq.queue.opened import Opened

VERB = "resolve"


@contextmanager
def open_run(session: Session, verb: str) -> Iterator[tuple[Workspace, Sitting | None]]:
    """Open the workspace for `verb`, from any work tree of the repository, with the run that is open, if one is.

    A run that was published, and killed before it was cleared away, is cleared away now.
    """
    sitting = load_sitting(Repository.discover(session.repo_option))
    root = session.series_option if sitting is None or session.series_option is not None else sitting.root
    with open_for_writing(replace(session, series_option=root), verb) as workspace:
        sitting = load_sitting(workspace.repo)  # it may have changed while somebody else held the lock
        if sitting is not None and sitting.publishing is not None:
            last = last_operation(workspace.repo)
            if last is not None and last.verb == VERB and (last.previous or "") == sitting.publishing:
                session.progress("an earlier run was published already; its work tree is cleared away now")
                close_run(workspace, sitting)
                sitting = None
        yield workspace, sitting


def needed_sitting(sitting: Sitting | None) -> Sitting:
    """Return the open run; SeriesError where there is none."""
    if sitting is None:
        raise SeriesError("no run of patchq resolve is open", hint="patchq resolve opens what is open, patch by patch")
    return sitting


def go_on(session: Session, workspace: Workspace, sitting: Sitting, first: PatchName | None = None) -> int:
    """Lay open the next patch that waits for a person (`first`, if it is named); publish when none is left."""
    trip = trip_of(workspace, sitting)
    replay = credited(workspace, trip, run_trip(workspace, trip, sitting.accept))
    replay = blamed(workspace, trip, explained_returns(workspace, trip, replay))
    waiting = [outcome for outcome in replay.outcomes if outcome.open and outcome.name not in sitting.skipped]
    if first is not None:
        waiting.sort(key=lambda outcome: outcome.name != first)
    for outcome in waiting:
        with place_of(workspace, sitting, trip, outcome.name) as place:
            if place is None or place.opened is None:
                session.say(f"{outcome.name} does not apply to its own base; it stays as not carried (patchq lint)")
                sitting = replace(sitting, skipped=(*sitting.skipped, outcome.name))
                continue
            current = Current(name=outcome.name, key=place.opened.key, commit=place.commit)
            sitting = replace(sitting, current=current)
            save_sitting(workspace.repo, sitting)
            sitting = _laid(workspace, sitting, place.opened, current, trip.origin.ref)
        save_sitting(workspace.repo, sitting)
        left = [it.name for it in waiting if it.name != outcome.name and it.name not in sitting.skipped]
        tell_open(session, sitting, outcome, left)
        return ExitCode.NEEDS_PERSON
    return _publish(session, workspace, sitting, trip, replay)


def _laid(workspace: Workspace, sitting: Sitting, opened: Opened, current: Current, base: str) -> Sitting:
    tree = open_tree(workspace.repo, sitting.place, current.commit)
    labels = Labels(
        ours=f"upstream {sitting.onto.ref} ({commit_digits(sitting.onto.commit)})",
        base=f"base {base}",
        theirs=f"patch {current.name}",
    )
    laying = laying_of(opened, labels)
    unmerged = {it.path: ((it.base, it.ours, it.theirs), it.shown) for it in laying.unmerged}
    shown = lay_out(tree, laying.staged, unmerged)
    told = {path.decode("utf-8", "surrogateescape"): object_id for path, object_id in shown.items()}
    return replace(sitting, current=replace(current, shown=told))


def _publish(session: Session, workspace: Workspace, sitting: Sitting, trip: Trip, replay: Replay) -> int:
    refuse_overwriting(workspace, trip, sitting.source)
    missed = [outcome.name for outcome in replay.outcomes if outcome.missed]
    if missed:
        again = tuple(name for name in sitting.skipped if name not in missed)
        save_sitting(workspace.repo, replace(sitting, current=None, skipped=again))
        raise SeriesError(
            f"{', '.join(map(str, missed))}: a required patch is not left out, so nothing is published",
            hint="patchq resolve opens it again; patchq abort ends the run",
        )
    last = last_operation(workspace.repo)
    save_sitting(workspace.repo, replace(sitting, current=None, publishing="" if last is None else last.commit))
    remembered = workspace.store.resolutions()
    joined = remembered.joined(sitting.decided.entries)
    published = publish_replay(
        workspace,
        trip,
        replay,
        branch=sitting.branch,
        verb=VERB,
        resolutions=None if joined == remembered else joined,
    )
    # Told first: who stands in the work tree stands nowhere once it is gone.
    tell_published(session, sitting, trip, replay, published, workspace.folder(trip.ref))
    close_run(workspace, sitting)
    return ExitCode.NEEDS_PERSON if replay.needs_person else ExitCode.DONE


def close_run(workspace: Workspace, sitting: Sitting) -> None:
    """Remove the work tree of a run, and what is kept of it."""
    close_tree(workspace.repo, sitting.place)
    drop_sitting(workspace.repo)


def left_open(workspace: Workspace, sitting: Sitting, trip: Trip) -> list[PatchName]:
    """Name the patches that wait behind the one that lies open."""
    replay = run_trip(workspace, trip, sitting.accept)
    current = None if sitting.current is None else sitting.current.name
    return [it.name for it in replay.outcomes if it.open and it.name not in {*sitting.skipped, current}]
