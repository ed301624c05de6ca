"""`patchq goto PATCH`: the checkout stands on a patch of the built branch, from wherever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.stepping import built_steps, place_of, step_to
from patchq.commands.workspace import open_for_writing
from patchq.errors import UsageError

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("patch", type=PATCH, required=False)
@click.option("--base", is_flag=True, help="The upstream commit below all patches.")
@click.pass_obj
def command(session: Session, *, patch: str | None, base: bool) -> int:
    r"""Let this checkout stand on PATCH: it and all patches before it are applied, the later ones are not.

    It goes there from any other branch or commit, too, as git switch would, with HEAD detached (on the last patch, HEAD
    is on the branch). Local changes come along, and where they would be lost nothing moves.

    \b
    Examples:
      patchq goto sm120-gate
      patchq goto --base
    """
    if base is (patch is not None):
        raise UsageError("go to which patch?", hint="patchq goto PATCH, or patchq goto --base")
    with open_for_writing(session, "goto") as workspace:
        series = workspace.current()
        built = built_steps(workspace, series)
        place = 0 if patch is None else place_of(built, series, patch)
        return step_to(session, workspace, built, place, "goto")
