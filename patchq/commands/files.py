"""`patchq files [PATCH]`: the files that the carried patches touch, and which patch does what to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_workspace
from patchq.queue.finding import find_patch
from patchq.report.inventory import files_document
from patchq.report.status import files_table

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("patch", type=PATCH, required=False)
@click.option("--ref", type=SERIES_REF, metavar="REF", help="The series to look in (default: the current one).")
@click.pass_obj
def command(session: Session, *, patch: str | None, ref: str | None) -> None:
    r"""List the files that PATCH touches (default: all carried patches), with what each patch does to them.

    \b
    Examples:
      patchq files
      patchq files sm120-gate
      patchq files --ref v0.5.9 --json
    """
    series = open_workspace(session).current(ref)
    patches = series.carried if patch is None else (find_patch(series, patch).patch,)
    session.say(files_table(patches, style=style_of(session)))
    session.document(files_document(series.ref, patches))
