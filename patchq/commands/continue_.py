"""`patchq continue`: take what was made of the open patch, checked, and go on to the next one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.resolve_check import refuse_flaws, refuse_losing, refuse_undecided
from patchq.commands.resolve_place import place_of, trip_of
from patchq.commands.resolve_run import go_on, needed_sitting, open_run
from patchq.commands.sitting import save_sitting, where
from patchq.errors import SeriesError
from patchq.gitstore.objects import ObjectReader
from patchq.gitstore.repository import Repository
from patchq.gitstore.resolve_tree import read_back, unmerged_paths
from patchq.model.resolution import Decision, Resolution
from patchq.queue.resolving import FlawKind, resolution_of

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.commands.sitting import Current, Sitting
    from patchq.commands.workspace import Workspace


@click.command()
@click.option("--also", multiple=True, metavar="PATH", help="This file belongs to the patch now, too.")
@click.option(
    "--accept",
    multiple=True,
    type=click.Choice([FlawKind.BLEED.value, FlawKind.UNPARSED.value]),
    help="Take files that the patch did not touch before, or that do not parse.",
)
@click.option("--absorbed", is_flag=True, help="Upstream has what the patch does: it goes to the ledger.")
@click.pass_obj
def command(session: Session, *, also: tuple[str, ...], accept: tuple[str, ...], absorbed: bool) -> int:
    r"""Take the files of the resolve work tree as what the open patch does, and go on to the next one.

    Refused while a conflict marker is left, a file in question is as it was laid out and not added, a file does not
    parse that did before, or a file of no concern to the patch is changed. After the last patch branch and series are
    published as one operation, which patchq undo takes back.

    \b
    Examples:
      patchq continue
      patchq continue --also pkg/new_place.py
      patchq continue --absorbed
    """
    with open_run(session, "continue") as (workspace, found):
        sitting = needed_sitting(found)
        current = sitting.current
        if current is None or current.shown is None or not sitting.place.exists():
            return go_on(session, workspace, sitting, None if current is None else current.name)
        kinds = frozenset(map(FlawKind, accept))
        resolution = _taken(workspace, sitting, current, also=also, accepted=kinds, absorbed=absorbed)
        session.say(f"{current.name}: {'upstream has it' if absorbed else 'resolved'} ({resolution.identity})")
        sitting = replace(sitting, decided=sitting.decided.joined((resolution,)), current=None)
        save_sitting(workspace.repo, sitting)
        return go_on(session, workspace, sitting)


def _taken(
    workspace: Workspace,
    sitting: Sitting,
    current: Current,
    *,
    also: tuple[str, ...],
    accepted: frozenset[FlawKind],
    absorbed: bool,
) -> Resolution:
    """Read what was made of the patch, check it, and write it down."""
    trip = trip_of(workspace, sitting)
    with place_of(workspace, sitting, trip, current.name) as place, ObjectReader(workspace.repo) as reader:
        opened = None if place is None else place.opened
        if place is None or opened is None or opened.key != current.key or place.commit != current.commit:
            raise SeriesError(
                f"the series was edited since {current.name} was opened, and it would stand on other files now",
                hint=f"copy what you need out of {where(sitting)}, then patchq abort, and patchq resolve again",
            )
        tree = Repository.discover(sitting.place)
        writes, ids = read_back(tree, reader, current.commit)
        if absorbed:
            refuse_losing(opened, current, writes, ids, where(sitting))
            return Resolution(key=current.key, name=current.name, ref=trip.onto.ref, decision=Decision.ABSORBED)
        resolution = resolution_of(opened, writes, ref=trip.onto.ref, accepted=accepted)
        resolution = replace(resolution, also=tuple(dict.fromkeys((*resolution.also, *also))))
        refuse_flaws(opened, writes, resolution, where(sitting))
        refuse_undecided(current, unmerged_paths(tree), ids, where(sitting))
        return resolution
