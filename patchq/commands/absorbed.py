"""`patchq absorbed`: the patches that upstream has taken over, and one of them beside upstream's own change."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from patchq.commands.absorbed_beside import beside
from patchq.commands.completing import RETIRED
from patchq.commands.paging import page, page_style
from patchq.commands.screen import style_of
from patchq.commands.session import Output
from patchq.commands.whole_series import held_entries
from patchq.commands.workspace import open_workspace
from patchq.queue.finding import find_name
from patchq.report.diffview import diff_view
from patchq.report.ledger import beside_document, label, ledger_document, ledger_table

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.option("--diff", "name", type=RETIRED, metavar="NAME", help="Show our change of this patch beside upstream's.")
@click.pass_obj
def command(session: Session, *, name: str | None) -> None:
    r"""List the ledger: patches that upstream has absorbed, where that was seen, and which commit brought them.

    Every rebase asks again for each of them; one that upstream takes back returns to its old place in the series.
    NAME may be any unique beginning of a name.

    \b
    Examples:
      patchq absorbed
      patchq absorbed --diff sm120-symm-mem-multimem
      patchq absorbed --json
    """
    workspace = open_workspace(session)
    held = held_entries(workspace)
    if name is None:
        session.say(ledger_table(held, style_of(session)))
        session.document(ledger_document(held))
        return
    by_name = {str(one.entry.name): one for one in held}
    one = by_name[find_name(tuple(by_name), name, where="the ledger", hint="patchq absorbed lists them")]
    both = beside(workspace, one.entry)
    style = page_style(session)
    if session.coloured or sys.stdout.isatty():
        parts = ((both.ours_is, both.ours), (both.upstream_is, both.upstream))
        page(session, "\n\n".join(f"{label(what, style)}\n{diff_view(diff, style)}" for what, diff in parts))
    elif session.output is Output.TEXT:
        for what, diff in ((both.ours_is, both.ours), (both.upstream_is, both.upstream)):
            sys.stdout.buffer.write(f"== {what}\n".encode("utf-8", "surrogateescape") + diff)
        sys.stdout.buffer.flush()
    session.document(beside_document(one, both.ours, both.upstream, both.upstream_is))
