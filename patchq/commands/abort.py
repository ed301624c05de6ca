"""`patchq abort`: end a run of `patchq resolve`; branch and series are as they were before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.resolve_run import close_run, needed_sitting, open_run
from patchq.commands.sitting import where
from patchq.report.jsonsafe import document
from patchq.report.words import counted

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.pass_obj
def command(session: Session) -> None:
    r"""End the run that patchq resolve has begun, and remove its work tree. Nothing was published, nothing is.

    What was decided in the run is dropped as well.

    \b
    Example:
      patchq abort
    """
    with open_run(session, "abort") as (workspace, found):
        sitting = needed_sitting(found)
        place = where(sitting)  # asked before a person who stands in it stands nowhere
        close_run(workspace, sitting)
        lost = len(sitting.decided.entries)
        dropped = f"; {counted(lost, 'resolution')} dropped" if lost else ""
        session.say(f"aborted: branch and series are as they were, {place} is gone{dropped}")
        session.document(document("abort", {"work_tree": str(sitting.place), "dropped": lost}))
