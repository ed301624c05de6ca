"""`patchq forecast REF`: which commits of upstream will change, break or absorb a patch on the way to REF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.crediting import CUT_OFF, base_of_patch, credited, upstream_commits, whole_clone
from patchq.commands.progress import ASKING, progress
from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.screen import style_of
from patchq.commands.shared_options import from_option
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode, GitError, SeriesError
from patchq.gitstore.objects import CommitTree, ObjectReader
from patchq.gitstore.partial import promisor_remote
from patchq.gitstore.renames import renames
from patchq.gitstore.upstream_log import UpstreamLog
from patchq.model.verdict import Accept
from patchq.queue.forecast import forecast, touched
from patchq.report.forecast import Event, Foretold, forecast_document, forecast_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.replaying import Trip
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.outcome import PatchOutcome
    from patchq.model.series import RefPoint

_FOLLOWED = "a rebase follows what has left the file"


@click.command()
@click.argument("ref", required=False)
@from_option
@click.pass_obj
def command(session: Session, *, ref: str | None, source: str | None) -> int:
    r"""Name the commits of upstream that change, break or absorb a patch on the way to REF.

    REF is by default the branch that patchq.yaml follows. Each patch stands with its verdict at REF, as `patchq status
    REF` gives it, and below it each commit after which it has another verdict. Nothing is fetched and nothing is
    written. A forecast is information: the exit code is 0 whatever it says.

    \b
    Examples:
      patchq forecast origin/main
      patchq forecast v0.5.23 --from v0.5.9 --json
    """
    workspace = open_workspace(session)
    target = ref if ref is not None else workspace.manifest.follow
    if target is None:
        raise SeriesError("forecast to what? patchq.yaml follows no branch", hint="patchq forecast REF")
    trip = plan_trip(workspace, target, source)
    replay = run_trip(workspace, trip, Accept.REVIEW, session)
    with progress(session, ASKING):
        replay = credited(workspace, trip, replay)
    by_base: dict[str, list[PatchOutcome]] = {}
    bases = {outcome.name: base_of_patch(workspace, trip, outcome) for outcome in replay.outcomes}
    for outcome in replay.outcomes:
        by_base.setdefault(bases[outcome.name].commit, []).append(outcome)
    told: dict[str, Foretold] = {}
    complete = True
    with progress(session, "walking upstream's commits"):
        for group in by_base.values():
            foretold, whole = _foretell(workspace, trip, bases[group[0].name], group)
            told.update({str(one.outcome.name): one for one in foretold})
            complete = complete and whole
    in_order = [told[str(outcome.name)] for outcome in replay.outcomes]
    session.say(forecast_table(in_order, from_=trip.origin, onto=trip.onto, style=style_of(session)))
    if not complete:
        session.say(CUT_OFF)
    session.document(forecast_document(in_order, from_=trip.origin, onto=trip.onto, complete=complete))
    return ExitCode.DONE


def _foretell(
    workspace: Workspace, trip: Trip, base: RefPoint, outcomes: Sequence[PatchOutcome]
) -> tuple[list[Foretold], bool]:
    """Follow patches that fit `base` to the end of the trip; and say whether all of that history is here."""
    repo = workspace.repo
    patches = [outcome.before for outcome in outcomes]
    old_paths = {change.old_path for patch in patches for change in patch.changes if change.old_path is not None}
    places = renames(repo, base.tree, trip.onto.tree, old_paths)
    paths = frozenset[bytes]().union(*(touched(patch, places) for patch in patches))
    try:
        with ObjectReader(repo) as reader, UpstreamLog(repo, base.commit, trip.onto.commit, paths) as log:
            outlooks = forecast(log, patches, CommitTree(reader, base.tree), places)
            described = upstream_commits(repo, log, [turn for outlook in outlooks for turn in outlook.changes])
    except GitError as error:
        remote = promisor_remote(repo)
        if remote is None:
            raise
        raise GitError("this partial clone lacks files of the commits between", hint=whole_clone(remote)) from error
    named = iter(described)
    told = []
    for outcome, outlook in zip(outcomes, outlooks, strict=True):
        events = tuple(Event(commit=next(named), before=turn.before, after=turn.after) for turn in outlook.changes)
        last = events[-1].after if events else outlook.start
        followed = last.needs_person and not outcome.verdict.needs_person
        told.append(Foretold(outcome=outcome, events=events, note=_FOLLOWED if followed else ""))
    return told, log.complete
