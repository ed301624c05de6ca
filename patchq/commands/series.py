"""`patchq series [REF]`: the patches of a ref in the order in which they apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from patchq.commands.completing import SERIES_REF
from patchq.commands.editing import ground_of
from patchq.commands.screen import style_of
from patchq.commands.session import Volume
from patchq.commands.standing import standing_of
from patchq.commands.workspace import open_workspace
from patchq.gitstore.objects import ObjectReader
from patchq.queue.layers import layers_of
from patchq.queue.needs import needs
from patchq.report.graph import graph_document, graph_table
from patchq.report.inventory import series_document
from patchq.report.status import Listed, series_table

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("ref", required=False, type=SERIES_REF)
@click.option("--graph", is_flag=True, help="Say which patch needs which earlier one, and why.")
@click.pass_obj
def command(session: Session, *, ref: str | None, graph: bool) -> None:
    r"""List the patches of REF (default: the current series) in order; with -v, the files of each as well.

    Where the checkout stands on the built branch, + marks the patches that are applied there, and > the topmost one.

    \b
    Examples:
      patchq series
      patchq series v0.5.9 -v
      patchq series --graph
      patchq series --json
    """
    workspace = open_workspace(session)
    series = workspace.current(ref)
    if graph:
        with ObjectReader(workspace.repo) as reader:
            found = needs(layers_of(series.carried, ground_of(workspace, series, reader)))
        names = [patch.name for patch in series.carried]
        session.say(graph_table(names, found, style_of(session)))
        session.document(graph_document(series.ref, names, found))
        return
    standing = standing_of(workspace, series.record)
    applied = None if standing is None else standing.names
    listed = Listed.FILES if session.volume is Volume.VERBOSE else Listed.PATCHES
    session.say(series_table(series, style=style_of(session), listed=listed, applied=applied))
    session.document(series_document(series, applied))
