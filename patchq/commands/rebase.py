"""`patchq rebase REF`: fetch, replay in memory, judge, and publish branch and series in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.blaming import blamed
from patchq.commands.crediting import credited
from patchq.commands.fetching import fetch_for
from patchq.commands.guarding import refuse_overwriting
from patchq.commands.progress import ASKING, progress
from patchq.commands.publishing import Published, publish_replay
from patchq.commands.replaying import plan_trip, run_trip
from patchq.commands.screen import style_of
from patchq.commands.shared_options import from_option
from patchq.commands.taking_back import explained_returns
from patchq.commands.workspace import open_for_writing
from patchq.errors import ExitCode, SeriesError
from patchq.model.verdict import Accept
from patchq.report.document import BuiltBranch, rebase_document
from patchq.report.table import replay_table
from patchq.report.todo import Stage

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("ref", required=False)
@click.option("--no-fetch", is_flag=True, help="Use the refs that are here.")
@from_option
@click.option("-n", "--dry-run", is_flag=True, help="Say what would happen; write nothing.")
@click.option("--branch", metavar="NAME", help="The branch to build (default: by the pattern in patchq.yaml).")
@click.option("--skip-conflicts", is_flag=True, help="Publish what can be carried; keep the rest as not carried.")
@click.option("--accept", type=click.Choice(["review"]), help="Publish results of classes D and E, too.")
@click.pass_obj
def command(
    session: Session,
    *,
    ref: str | None,
    no_fetch: bool,
    source: str | None,
    dry_run: bool,
    branch: str | None,
    skip_conflicts: bool,
    accept: str | None,
) -> int:
    r"""Carry the series to REF (default: the branch that patchq.yaml follows) and build the patched branch.

    Everything is computed in memory first. When a patch cannot be carried, nothing is published (exit code 3) unless
    --skip-conflicts says to go on without it. An optional patch (`Policy: optional`) stays behind by itself, and a
    required one is never left out. Your work tree, index, stash and HEAD are never touched.

    \b
    Examples:
      patchq rebase origin/main
      patchq rebase v0.5.23 --dry-run
      patchq rebase v0.5.23 --skip-conflicts --branch try/v0.5.23
    """
    with open_for_writing(session, "rebase") as workspace:
        manifest = workspace.manifest
        target = ref if ref is not None else manifest.follow
        if target is None:
            raise SeriesError("rebase to what? patchq.yaml follows no branch", hint="patchq rebase REF")
        if not no_fetch:
            fetch_for(session, workspace, target)
        trip = plan_trip(workspace, target, source)
        replay = run_trip(workspace, trip, Accept.REVIEW if accept == "review" else Accept.PROVEN, session)
        with progress(session, ASKING):
            replay = blamed(workspace, trip, explained_returns(workspace, trip, credited(workspace, trip, replay)))
        held = replay.needs_person
        published: Published | None = None
        if not dry_run and not replay.missed and (skip_conflicts or not held):
            refuse_overwriting(workspace, trip, source)
            name = branch or manifest.branch.replace("{ref}", trip.ref)
            published = publish_replay(workspace, trip, replay, branch=name, verb="rebase")
        folder = workspace.folder(trip.ref)
    stage = Stage.PUBLISHED if published is not None else Stage.DRY_RUN if dry_run else Stage.STOPPED
    built = None if published is None else BuiltBranch(published.branch, published.commit)
    again = (() if source is None or published is not None else ("--from", source)) + (
        () if branch is None else ("--branch", branch)
    )
    table = replay_table(
        replay.outcomes,
        onto=trip.onto,
        style=style_of(session),
        stage=stage,
        folder=folder,
        options=again,
        asked=replay.asked,
    )
    session.say(table)
    if published is not None:
        session.say(f"branch {published.branch} is at {published.commit[:12]}")
    session.document(
        rebase_document(
            "rebase",
            dry_run=dry_run,
            from_=trip.origin,
            onto=trip.onto,
            branch=built,
            replay=replay,
            today=session.today,
        )
    )
    return ExitCode.NEEDS_PERSON if held else ExitCode.DONE
