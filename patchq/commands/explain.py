"""`patchq explain PATCH`: how a patch was carried, rung by rung, with its proof, or why it was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode
from patchq.queue.finding import find_patch
from patchq.queue.replay import Accept
from patchq.report.explain import explain
from patchq.report.explained import explain_document

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace


@click.command()
@click.argument("patch")
@click.option("--onto", metavar="REF", help="The upstream to explain (default: the one the series stands on).")
@click.option("--from", "source", metavar="REF", help="The series to start from (default: where it came from).")
@click.pass_obj
def command(session: Session, *, patch: str, onto: str | None, source: str | None) -> int:
    r"""Say how PATCH was carried, rung by rung, or why it was not.

    The replay is run again in memory; nothing is written. PATCH may be any unique beginning of a name.

    \b
    Examples:
      patchq explain sm120-symm-mem-multimem
      patchq explain sm120-symm --onto origin/main
    """
    workspace = open_workspace(session)
    start = source if source is not None else _origin(workspace, onto)
    trip = plan_trip(workspace, onto or workspace.current().ref, start)
    entry = find_patch(trip.series, patch)
    replay = run_trip(workspace, trip, Accept.REVIEW)
    outcome = next(outcome for outcome in replay.outcomes if outcome.name == entry.patch.name)
    folder = workspace.folder(trip.series.ref)
    session.say(explain(outcome, style=style_of(session), onto=trip.onto, folder=folder))
    session.document(explain_document(outcome))
    return ExitCode.NEEDS_PERSON if outcome.open else ExitCode.DONE


def _origin(workspace: Workspace, onto: str | None) -> str | None:
    """Start from the series that the current one was carried from, as long as that one is still there."""
    if onto is not None:
        return None
    record = workspace.current().record
    came_from = None if record is None else record.carried_from
    return came_from.ref if came_from is not None and came_from.ref in workspace.store.refs() else None
