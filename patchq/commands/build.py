"""`patchq build [REF]`: the patched branch of a ref made again from its series, with the same commit ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import SERIES_REF
from patchq.commands.publishing import publish_replay
from patchq.commands.replaying import Trip, load_source, run_trip
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_for_writing
from patchq.errors import ExitCode, SeriesError
from patchq.model.verdict import Accept
from patchq.queue.retire import Retired
from patchq.report.document import BuiltBranch, rebase_document
from patchq.report.table import replay_table
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace


@click.command()
@click.argument("ref", required=False, type=SERIES_REF)
@click.option("--branch", metavar="NAME", help="The branch to build (default: by the pattern in patchq.yaml).")
@click.pass_obj
def command(session: Session, *, ref: str | None, branch: str | None) -> int:
    r"""Build the patched branch of REF (default: the current ref) again from its series.

    Every carried patch must fit the upstream commit that the series stands on; nothing is merged. The same series
    gives the same commit ids on every machine. Patches that are not carried are left as they are.

    \b
    Examples:
      patchq build
      patchq build v0.5.9 --branch test/v0.5.9
    """
    with open_for_writing(session, "build") as workspace:
        trip = _standing_trip(workspace, ref)
        replay = run_trip(workspace, trip, Accept.REVIEW, session)
        published = None
        if not replay.needs_person:
            name = branch or workspace.manifest.branch.replace("{ref}", trip.ref)
            published = publish_replay(workspace, trip, replay, branch=name, verb="build")
        folder = workspace.folder(trip.ref)
    built = None if published is None else BuiltBranch(published.branch, published.commit)
    stage = Stage.STOPPED if published is None else Stage.PUBLISHED
    session.say(replay_table(replay.outcomes, onto=trip.onto, style=style_of(session), stage=stage, folder=folder))
    if published is not None:
        session.say(f"branch {published.branch} is at {published.commit[:12]}")
    session.document(
        rebase_document("build", dry_run=False, from_=trip.origin, onto=trip.onto, branch=built, replay=replay)
    )
    return ExitCode.NEEDS_PERSON if published is None else ExitCode.DONE


def _standing_trip(workspace: Workspace, ref: str | None) -> Trip:
    """Plan the trip that goes nowhere: the carried patches of a folder onto the base that it stands on."""
    state, series = load_source(workspace, ref)
    if not series.carried:
        hint = f"patchq explain NAME tells why; patchq rebase {series.ref} tries again"
        raise SeriesError(f"no patch of the series of {series.ref} is carried; there is nothing to build", hint=hint)
    base = workspace.base_of(series)
    past = Retired(workspace.store.ledger())
    return Trip(series=series, origin=base, onto=base, ref=series.ref, state=state, tried=series.carried, past=past)
