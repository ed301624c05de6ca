"""`patchq push [COUNT|PATCH]`: the checkout goes up the built branch, by one patch, several, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.stepping import current_standing, place_of, step_to
from patchq.commands.workspace import open_for_writing
from patchq.errors import SeriesError, UsageError

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("upto", type=PATCH, required=False, metavar="[COUNT|PATCH]")
@click.option("-a", "--all", "everything", is_flag=True, help="Apply all patches.")
@click.pass_obj
def command(session: Session, *, upto: str | None, everything: bool) -> int:
    r"""Apply the next patch of the built branch in this checkout, COUNT of them, or all up to and with PATCH.

    Only HEAD and the files move, from one commit of the branch to another, as git switch moves them; on the last patch
    HEAD is on the branch itself. Local changes come along, and where they would be lost nothing moves.

    \b
    Examples:
      patchq push
      patchq push 3
      patchq push sm120-gate
      patchq push -a
    """
    if everything and upto is not None:
        raise UsageError("--all and a patch exclude each other", hint="patchq push -a")
    with open_for_writing(session, "push") as workspace:
        series = workspace.current()
        standing = current_standing(workspace, series)
        total = len(standing.steps)
        if standing.applied == total and (standing.attached or not everything):
            raise SeriesError("all patches are applied", hint="patchq pop takes the topmost one out")
        if everything:
            place = total
        elif upto is None or upto.isdecimal():
            place = min(standing.applied + int(upto or 1), total)
        else:
            place = place_of(standing, series, upto)
        if place < standing.applied:
            raise SeriesError(f"{upto} is applied already, below others", hint=f"patchq goto {upto}")
        return step_to(session, workspace, standing, place, "push")
