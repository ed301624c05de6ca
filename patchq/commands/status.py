"""`patchq status [REF]`: the patches still needed, from the record, or as a rebase to REF would find them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.crediting import credited
from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode
from patchq.model.series import Standing
from patchq.model.verdict import Accept
from patchq.report.document import rebase_document, status_document
from patchq.report.status import status_table
from patchq.report.table import replay_table
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("ref", required=False)
@click.option("--from", "source", metavar="REF", help="Start from the series of this ref (default: the current one).")
@click.pass_obj
def command(session: Session, *, ref: str | None, source: str | None) -> int:
    r"""List the patches still needed, and those that are not carried.

    Without REF this is what was recorded at the last rebase. With REF it says what a rebase to REF would do; nothing is
    fetched and nothing is written. Exit code 3 when a patch needs a person.

    \b
    Examples:
      patchq status
      patchq status origin/main
      patchq status v0.5.23 --from v0.5.9 --json
    """
    workspace = open_workspace(session)
    if ref is None:
        series = workspace.current(source)
        ledger = workspace.store.ledger()
        session.say(status_table(series, ledger, style=style_of(session)))
        session.document(status_document(series, ledger))
        left_out = any(entry.standing is Standing.NOT_CARRIED for entry in series.entries)
        return ExitCode.NEEDS_PERSON if left_out else ExitCode.DONE
    trip = plan_trip(workspace, ref, source)
    replay = credited(workspace, trip, run_trip(workspace, trip, Accept.PROVEN))
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
        rebase_document("status", dry_run=True, from_=trip.origin, onto=trip.onto, branch=None, replay=replay)
    )
    return ExitCode.NEEDS_PERSON if replay.needs_person else ExitCode.DONE
