"""`patchq compare REF REF`: the series of two refs side by side, as git-range-diff compares two branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import SERIES_REF
from patchq.commands.paging import page, page_style
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_workspace
from patchq.queue.pairing import pair
from patchq.report.comparison import Compared, Shown, comparison_document, comparison_table

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("left", type=SERIES_REF, metavar="REF")
@click.argument("right", type=SERIES_REF, metavar="[REF]", required=False)
@click.option("-p", "--patch", is_flag=True, help="Show how the patches differ.")
@click.pass_obj
def command(session: Session, *, left: str, right: str | None, patch: bool) -> None:
    r"""Compare the series of two refs, patch by patch; without the second REF with the current one.

    Patches are paired by name, renamed ones by the lines that they add and remove. The mark of each says `=` the same,
    `~` other lines around it, `!` another change, `<` and `>` only in the first or second series. Line numbers and blob
    ids do not count.

    \b
    Examples:
      patchq compare v0.5.9 v0.5.23
      patchq compare v0.5.9 v0.5.23 --patch
      patchq compare main --json
    """
    workspace = open_workspace(session)
    one, two = workspace.current(left), workspace.current(right)
    compared = Compared(one, two, pair(one.entries, two.entries))
    shown = Shown.PATCH if patch else Shown.MARKS
    if patch:
        page(session, comparison_table(compared, page_style(session), shown))
    else:
        session.say(comparison_table(compared, style_of(session), shown))
    session.document(comparison_document(compared, shown))
