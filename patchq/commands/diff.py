"""`patchq diff [PATCH|A..B]`: what one patch changes, or several of them together, as git diff prints it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH, SERIES_REF
from patchq.commands.editing import ground_of
from patchq.commands.paging import page, page_style
from patchq.commands.session import Output
from patchq.commands.workspace import open_workspace
from patchq.errors import SeriesError, UsageError
from patchq.gitstore.objects import ObjectReader
from patchq.model.series import Standing
from patchq.patchfile.render import render_changes
from patchq.queue.compose import after, before, changes_of, turns_between
from patchq.queue.finding import find_patch
from patchq.queue.layers import layers_of
from patchq.report.diffview import diff_view
from patchq.report.inventory import diff_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.commands.session import Session
    from patchq.commands.workspace import Workspace
    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.series import Series


@click.command()
@click.argument("patches", type=PATCH, required=False, metavar="[PATCH|A..B]")
@click.option("--ref", type=SERIES_REF, metavar="REF", help="The series to look in (default: the current one).")
@click.pass_obj
def command(session: Session, *, patches: str | None, ref: str | None) -> None:
    r"""Print what PATCH changes, or what the patches from A to B, both included, change together (default: all).

    The text is that of git diff, with full object ids, and git apply takes it. A.. goes to the last patch, ..B begins
    at the first. On a terminal, and with --color always, it is coloured.

    \b
    Examples:
      patchq diff
      patchq diff sm120-gate | git apply --check
      patchq diff sm120-gate..sm120-sizes
    """
    workspace = open_workspace(session)
    series = workspace.current(ref)
    if patches is not None and ".." not in patches:
        chosen: tuple[Patch, ...] = (find_patch(series, patches).patch,)
        changes = chosen[0].changes
    else:
        chosen = _range(series, patches)
        changes = _together(workspace, series, chosen)
    diff = render_changes(changes)
    if session.coloured or sys.stdout.isatty():
        page(session, diff_view(diff, page_style(session)))
    elif session.output is Output.TEXT:
        sys.stdout.buffer.write(diff)
        sys.stdout.buffer.flush()
    session.document(diff_document(series.ref, chosen, changes, diff))


def _range(series: Series, typed: str | None) -> tuple[Patch, ...]:
    first, _, last = (typed or "..").partition("..")
    names = [patch.name for patch in series.carried]
    ends = []
    for text, default in ((first, 0), (last, len(names) - 1)):
        entry = find_patch(series, text) if text else None
        if entry is not None and entry.standing is not Standing.CARRIED:
            raise SeriesError(f"{entry.patch.name} is not carried", hint=f"patchq diff {entry.patch.name}")
        ends.append(default if entry is None else names.index(entry.patch.name))
    if ends[0] > ends[1] and names:
        raise UsageError(f"{last} stands before {first}", hint=f"patchq diff {last}..{first}")
    return series.carried[ends[0] : ends[1] + 1]


def _together(workspace: Workspace, series: Series, chosen: Sequence[Patch]) -> tuple[FileChange, ...]:
    if not chosen:
        return ()
    with ObjectReader(workspace.repo) as reader:
        ground = ground_of(workspace, series, reader)
        layers = {layer.patch.name: layer for layer in layers_of(series.carried, ground)}
        turns = turns_between(before(layers[chosen[0].name]), after(layers[chosen[-1].name]))
        return changes_of(turns, ground)
