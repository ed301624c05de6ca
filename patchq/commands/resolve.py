"""`patchq resolve [PATCH]`: open what could not be carried, patch by patch, in a work tree of its own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.guarding import refuse_overwriting
from patchq.commands.recalling import with_retired
from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.resolve_place import place_of, trip_of
from patchq.commands.resolve_run import go_on, left_open, open_run
from patchq.commands.resolve_told import tell_open
from patchq.commands.shared_options import from_option
from patchq.commands.sitting import Sitting
from patchq.errors import ExitCode, SeriesError
from patchq.gitstore.resolve_tree import refuse_occupied
from patchq.model.series import Standing
from patchq.model.verdict import Accept
from patchq.queue.finding import find_name, find_patch

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName


@click.command()
@click.argument("patch", type=PATCH, required=False)
@click.option("--onto", metavar="REF", help="The upstream to carry to (default: where patches are not carried yet).")
@from_option
@click.option("--branch", metavar="NAME", help="The branch to build (default: by the pattern in patchq.yaml).")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E without a look.")
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path), help="Where the work tree goes (default: beside yours)."
)
@click.pass_obj
def command(
    session: Session,
    *,
    patch: str | None,
    onto: str | None,
    source: str | None,
    branch: str | None,
    accept: str | None,
    folder: Path | None,
) -> int:
    r"""Open the patches that wait for a person, one by one (PATCH first, if named), in a linked work tree.

    There the patches before it are commits, what is carried is staged, and the files in question are unmerged, with
    conflict markers, as after a git merge. Make the files right, and type patchq continue. After the last one branch
    and series are published as one operation. Your own checkout is never touched, and nothing is fetched. A run that
    was interrupted goes on with patchq resolve. What you decide is remembered, and used again by rebase and status.

    \b
    Examples:
      patchq resolve --onto v0.5.23
      patchq resolve sm120-attention
      patchq continue
    """
    with open_run(session, "resolve") as (workspace, sitting):
        if sitting is None:
            accepted = Accept.REVIEW if accept == "review" else Accept.PROVEN
            begun = _begun(workspace, patch, onto, source, branch, accepted, folder)
            return go_on(session, workspace, begun, _first(workspace, begun, patch))
        if onto is not None or source is not None or branch is not None or folder is not None:
            raise SeriesError(
                f"a run to {sitting.onto.ref} is open since {sitting.since}", hint="patchq continue, or patchq abort"
            )
        current = sitting.current
        if current is None or current.shown is None or not sitting.place.exists():
            return go_on(session, workspace, sitting, None if current is None else current.name)
        trip = trip_of(workspace, sitting)
        if patch is not None and not str(current.name).startswith(patch):
            raise SeriesError(f"{current.name} lies open", hint="first patchq continue or patchq skip")
        with place_of(workspace, sitting, trip, current.name) as place:
            if place is None:
                raise SeriesError(f"the series has no {current.name} any more", hint="patchq skip")
            tell_open(session, sitting, place.outcome, left_open(workspace, sitting, trip))
            return ExitCode.NEEDS_PERSON


def _begun(
    workspace: Workspace,
    patch: str | None,
    onto: str | None,
    source: str | None,
    branch: str | None,
    accept: Accept,
    folder: Path | None,
) -> Sitting:
    trip = plan_trip(workspace, onto or _waiting(workspace, source), source)
    if patch is not None:
        find_patch(with_retired(trip.series, trip.past), patch)
    refuse_overwriting(workspace, trip, source)
    repo = workspace.repo
    top = repo.work_tree or repo.common_dir
    sitting = Sitting(
        root=workspace.store.root,
        place=(folder or top.with_name(f"{top.name}.resolve")).absolute(),
        ref=trip.ref,
        onto=trip.onto,
        source=source,
        branch=branch or workspace.manifest.branch.replace("{ref}", trip.ref),
        accept=accept,
        since=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if not run_trip(workspace, trip, accept).needs_person:
        raise SeriesError(
            f"no patch is open on the way to {trip.onto.ref}", hint=f"publish: patchq rebase {trip.onto.ref}"
        )
    refuse_occupied(sitting.place)
    return sitting


def _waiting(workspace: Workspace, source: str | None) -> str:
    """Name where patches wait: the base of a series with patches that are not carried, else the branch followed."""
    series = workspace.current(source)
    if series.record is not None and any(entry.standing is Standing.NOT_CARRIED for entry in series.entries):
        return series.record.base.ref
    follow = workspace.manifest.follow
    if follow is None:
        raise SeriesError("resolve for which upstream? patchq.yaml follows no branch", hint="patchq resolve --onto REF")
    return follow


def _first(workspace: Workspace, sitting: Sitting, typed: str | None) -> PatchName | None:
    """Find the patch to begin with; SeriesError where it does not wait for anybody."""
    if typed is None:
        return None
    trip = trip_of(workspace, sitting)
    outcomes = {str(outcome.name): outcome for outcome in run_trip(workspace, trip, sitting.accept).outcomes}
    name = find_name(tuple(outcomes), typed, where=f"the series of {trip.series.ref}", hint="patchq series lists them")
    if not outcomes[name].open:
        raise SeriesError(
            f"{name} does not wait for a person: it is {outcomes[name].verdict.value}",
            hint=f"look: patchq explain {name} --onto {trip.onto.ref}",
        )
    return outcomes[name].name
