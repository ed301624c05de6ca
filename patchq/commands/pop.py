"""`patchq pop [COUNT|PATCH]`: the checkout goes down the built branch, by one patch, several, or all."""

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
@click.argument("downto", type=PATCH, required=False, metavar="[COUNT|PATCH]")
@click.option("-a", "--all", "everything", is_flag=True, help="Take all patches out.")
@click.pass_obj
def command(session: Session, *, downto: str | None, everything: bool) -> int:
    r"""Take the topmost applied patch out of this checkout, COUNT of them, or all above PATCH, as quilt does.

    Branch and series stay as they are; only HEAD and the files go to an earlier commit of the built branch, with HEAD
    detached there. Local changes come along, and where they would be lost nothing moves.

    \b
    Examples:
      patchq pop
      patchq pop 3
      patchq pop sm120-gate
      patchq pop -a
    """
    if everything and downto is not None:
        raise UsageError("--all and a patch exclude each other", hint="patchq pop -a")
    with open_for_writing(session, "pop") as workspace:
        series = workspace.current()
        standing = current_standing(workspace, series)
        if not standing.applied:
            raise SeriesError("no patch is applied", hint="patchq push applies the first one")
        if everything:
            place = 0
        elif downto is None or downto.isdecimal():
            place = max(standing.applied - int(downto or 1), 0)
        else:
            place = place_of(standing, series, downto)
        if place > standing.applied:
            raise SeriesError(f"{downto} is not applied", hint=f"patchq push {downto}")
        return step_to(session, workspace, standing, place, "pop")
