"""`patchq explain PATCH`: how a patch was carried, rung by rung, with its proof, or why it was not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.crediting import credited
from patchq.commands.paging import page, page_style
from patchq.commands.progress import ASKING, progress
from patchq.commands.recalling import retired_of, with_retired
from patchq.commands.replaying import Trip, plan_trip, run_trip, trip_to
from patchq.commands.taking_back import explained_returns
from patchq.commands.workspace import open_workspace
from patchq.errors import ExitCode, SeriesError
from patchq.model.verdict import Accept
from patchq.patchfile.read import patch_digest
from patchq.queue.finding import find_patch
from patchq.report.explain import explain
from patchq.report.explained import explain_document

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome, Replay
    from patchq.model.series import Series


@click.command()
@click.argument("patch", type=PATCH)
@click.option("--onto", metavar="REF", help="The upstream to explain (default: the one the series stands on).")
@click.option(
    "--from", "source", type=SERIES_REF, metavar="REF", help="The series to start from (default: where it came from)."
)
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
    trip = _trip(workspace, patch, onto, source)
    entry = find_patch(with_retired(trip.series, trip.past), patch)
    replay = run_trip(workspace, trip, Accept.REVIEW, session)
    with progress(session, ASKING):
        replay = credited(workspace, trip, replay, only=entry.patch.name)
        replay = explained_returns(workspace, trip, replay)
    outcome = _outcome(replay, entry.patch.name)
    folder = workspace.folder(trip.ref)
    page(session, explain(outcome, style=page_style(session), onto=trip.onto, folder=folder))
    session.document(explain_document(outcome))
    return ExitCode.NEEDS_PERSON if outcome.open else ExitCode.DONE


def _outcome(replay: Replay, name: PatchName) -> PatchOutcome:
    """Find what became of a patch; of one that is in the ledger, too, unless nothing had to be tried for the answer."""
    told = {one.name: one.outcome for one in replay.asked} | {one.name: one for one in replay.outcomes}
    outcome = told[name]
    if outcome is None:
        reason = next(one.reason for one in replay.asked if one.name == name)
        raise SeriesError(
            f"{name} is in the ledger, and was not tried: {reason or 'the files that have it are as they were'}",
            hint=f"patchq absorbed --diff {name}",
        )
    return outcome


def _trip(workspace: Workspace, patch: str, onto: str | None, source: str | None) -> Trip:
    """Choose what is told: the way to `onto`, or how the patch came to the upstream that the series stands on."""
    if onto is not None:
        return plan_trip(workspace, onto, source)
    current = workspace.current()
    return trip_to(workspace, workspace.base_of(current), current.ref, source or _origin(workspace, current, patch))


def _origin(workspace: Workspace, current: Series, patch: str) -> str | None:
    """Name the series that a carried patch came from, as long as it is there; for any other, the text that is here."""
    entry, record = find_patch(with_retired(current, retired_of(workspace, current)), patch), current.record
    known = None if record is None else record.find(entry.patch.name)
    came_from = None if record is None else record.carried_from
    untouched = known is not None and known.verdict.carried and known.digest == patch_digest(entry.patch.raw)
    return came_from.ref if untouched and came_from is not None and came_from.ref in workspace.store.refs() else None
