"""`patchq redo`: the command that was undone last, done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.retracing import Way, retrace, tell_retraced, workspace_of
from patchq.commands.workspace import tidy
from patchq.errors import GitError
from patchq.gitstore.lock import lock
from patchq.gitstore.operations import undone_operations

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.pass_obj
def command(session: Session) -> None:
    r"""Do again what patchq undo took back last: branch and series are as they were after it, byte for byte.

    Nothing is computed anew. After another command has published there is nothing to redo: it would be lost.

    \b
    Examples:
      patchq redo
      patchq undo --list
    """
    workspace = workspace_of(session)
    with lock(workspace.repo, "redo"):
        tidy(session, workspace)
        recorded = next(iter(undone_operations(workspace.repo)), None)
        if recorded is None:
            raise GitError("there is nothing to redo", hint="patchq undo --list shows what was done")
        retrace(workspace, recorded, Way.FORTH)
    tell_retraced(session, workspace, (recorded,), Way.FORTH)
