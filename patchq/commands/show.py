"""`patchq show PATCH`: one patch as it is kept, byte for byte, or coloured on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.paging import page, page_style
from patchq.commands.session import Output
from patchq.commands.workspace import open_workspace
from patchq.errors import UsageError
from patchq.queue.finding import find_patch
from patchq.report.diffview import diff_view
from patchq.report.inventory import show_document

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("patch", type=PATCH)
@click.argument("ref", required=False, type=SERIES_REF)
@click.option(
    "--ref", "ref_option", type=SERIES_REF, metavar="REF", help="The series to look in (default: the current one)."
)
@click.pass_obj
def command(session: Session, *, patch: str, ref: str | None, ref_option: str | None) -> None:
    r"""Print PATCH as it is kept: what git am, git apply and quilt take. It may be any unique beginning of a name.

    Into a file or a pipe go the very bytes of the patch file; on a terminal, and with --color always, they are shown
    with colours and without what a terminal would obey.

    \b
    Examples:
      patchq show sm120-symm-mem-multimem
      patchq show sm120-symm --ref v0.5.9 | git apply --check
      patchq show sm120-symm --json
    """
    if ref is not None and ref_option not in {None, ref}:
        raise UsageError(f"which series, {ref} or {ref_option}?", hint=f"patchq show {patch} --ref {ref}")
    series = open_workspace(session).current(ref if ref is not None else ref_option)
    entry = find_patch(series, patch)
    raw = entry.patch.raw
    if session.coloured or sys.stdout.isatty():
        page(session, diff_view(raw, page_style(session)))
    elif session.output is Output.TEXT:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
    session.document(show_document(entry))
