"""`patchq skip`: leave the open patch as not carried, and go on to the next one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.resolve_run import go_on, needed_sitting, open_run
from patchq.commands.sitting import save_sitting

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.pass_obj
def command(session: Session) -> int:
    r"""Leave the patch that patchq resolve has opened as not carried, and go on to the next one.

    It stays in the series with its text, as after patchq rebase --skip-conflicts. Edits of its files are dropped.

    \b
    Example:
      patchq skip
    """
    with open_run(session, "skip") as (workspace, found):
        sitting = needed_sitting(found)
        if sitting.current is not None:
            session.say(f"{sitting.current.name}: skipped; it stays in the series as not carried")
            sitting = replace(sitting, skipped=(*sitting.skipped, sitting.current.name), current=None)
            save_sitting(workspace.repo, sitting)
        return go_on(session, workspace, sitting)
