"""`patchq status [REF]`: the patches still needed, from the record, or as a rebase to REF would find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.blaming import blamed
from patchq.commands.crediting import credited
from patchq.commands.policing import left_open, policies_of, turned
from patchq.commands.progress import ASKING, progress
from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.resolve_told import told_of
from patchq.commands.screen import style_of
from patchq.commands.shared_options import from_option
from patchq.commands.sitting import load_sitting
from patchq.commands.taking_back import explained_returns
from patchq.commands.whole_series import newest_first
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode, UsageError
from patchq.model.series import Standing
from patchq.model.verdict import Accept
from patchq.report.document import rebase_document, status_document
from patchq.report.matrix import Column, matrix_document, matrix_table
from patchq.report.resolving import sitting_fields, sitting_line
from patchq.report.status import status_table
from patchq.report.table import replay_table
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.report.resolving import OpenSitting


@click.command()
@click.argument("ref", required=False)
@from_option
@click.option("--all", "everywhere", is_flag=True, help="Every patch at every ref, as recorded.")
@click.pass_obj
def command(session: Session, *, ref: str | None, source: str | None, everywhere: bool) -> int:
    r"""List the patches still needed, and those that are not carried.

    Without REF this is what was recorded at the last rebase. With REF it says what a rebase to REF would do, also to
    the patches of the ledger; nothing is fetched and nothing is written. With --all it is what was recorded for all
    refs, newest first. What its trailers say of a patch (owner, condition, expiry) stands below it, and what is overdue
    is named. Exit code 3 when a patch needs a person.

    \b
    Examples:
      patchq status
      patchq status origin/main
      patchq status v0.5.23 --from v0.5.9 --json
      patchq status --all
    """
    workspace = open_workspace(session)
    if everywhere:
        if ref is not None or source is not None:
            raise UsageError("--all tells of every ref", hint="patchq status --all, or patchq status REF")
        return _everywhere(session, workspace)
    if ref is None:
        series = workspace.current(source)
        ledger = workspace.store.ledger()
        policies, today = policies_of(workspace, series), session.today
        notes, told = turned(workspace, series, policies), _open_run(session, workspace)
        session.say(status_table(series, ledger, style=style_of(session), policies=policies, today=today, turned=notes))
        session.say("" if told is None else f"\n{sitting_line(told, style_of(session))}")
        run = None if told is None else sitting_fields(told)
        session.document({**status_document(series, ledger, policies, today), "resolve": run})
        return ExitCode.NEEDS_PERSON if left_open(series, policies) else ExitCode.DONE
    trip = plan_trip(workspace, ref, source)
    replay = run_trip(workspace, trip, Accept.PROVEN, session)
    with progress(session, ASKING):
        replay = blamed(workspace, trip, explained_returns(workspace, trip, credited(workspace, trip, replay)))
    folder = workspace.folder(trip.ref)
    table = replay_table(
        replay.outcomes,
        onto=trip.onto,
        style=style_of(session),
        stage=Stage.DRY_RUN,
        folder=folder,
        asked=replay.asked,
    )
    session.say(table)
    session.document(
        rebase_document(
            "status", dry_run=True, from_=trip.origin, onto=trip.onto, branch=None, replay=replay, today=session.today
        )
    )
    return ExitCode.NEEDS_PERSON if replay.needs_person else ExitCode.DONE


def _open_run(session: Session, workspace: Workspace) -> OpenSitting | None:
    sitting = load_sitting(workspace.repo)
    return None if sitting is None else told_of(session, sitting)


def _everywhere(session: Session, workspace: Workspace) -> int:
    store, current, ledger = workspace.store, workspace.manifest.current, workspace.store.ledger()
    columns = [Column(ref, store.names(ref), store.record(ref)) for ref in newest_first(workspace)]
    session.say(matrix_table(columns, ledger, style_of(session)))
    session.document(matrix_document(columns, ledger, current))
    left_out = any(Standing.NOT_CARRIED in column.names.values() for column in columns if column.ref == current)
    series = workspace.current() if left_out else None
    waits = series is not None and left_open(series, policies_of(workspace, series))
    return ExitCode.NEEDS_PERSON if waits else ExitCode.DONE
