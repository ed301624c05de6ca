"""`patchq resolutions`: what people have decided, listed, and forgotten on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.publishing import publish
from patchq.commands.screen import style_of
from patchq.commands.workspace import open_for_writing, open_workspace
from patchq.errors import SeriesError
from patchq.model.resolution import Resolutions
from patchq.report.resolutions import resolutions_document, resolutions_table
from patchq.seriesstore.publication import Publication

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.model.resolution import Resolution


@click.command()
@click.option("--forget", multiple=True, metavar="PATCH|ID", help="Forget those of a patch, or the one of this id.")
@click.pass_obj
def command(session: Session, *, forget: tuple[str, ...]) -> None:
    r"""List the remembered resolutions of the series, by their ids.

    They are kept in resolutions.yaml of the series folder, so that colleagues and CI have them. Where the same contents
    are in question again, patchq rebase and patchq status use them, after the same checks, and say so. A forgotten one
    comes back with patchq undo.

    \b
    Examples:
      patchq resolutions
      patchq resolutions --forget sm120-attention
    """
    if not forget:
        found = open_workspace(session).store.resolutions()
        session.say(resolutions_table(found.entries, style=style_of(session)))
        session.document(resolutions_document(found.entries, ()))
        return
    with open_for_writing(session, "resolutions") as workspace:
        found = workspace.store.resolutions()
        gone = [entry for text in forget for entry in _meant(found, text)]
        kept = tuple(entry for entry in found.entries if entry not in gone)
        publish(workspace, Publication(resolutions=Resolutions(kept)), verb="resolutions")
    for entry in dict.fromkeys(gone):
        session.say(f"forgotten: {entry.identity} of {entry.name}")
    session.document(resolutions_document(kept, tuple(dict.fromkeys(gone))))


def _meant(found: Resolutions, text: str) -> list[Resolution]:
    meant = [it for it in found.entries if str(it.name) == text or (it.key.startswith(text) and len(text) >= 4)]  # noqa: PLR2004 - as git's shortest id
    if not meant:
        raise SeriesError(f"no resolution is remembered of {text!r}", hint="patchq resolutions lists them")
    return meant
