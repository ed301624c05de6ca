"""`patchq rename OLD NEW`: a patch gets another name; its place, its text and what is known about it stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import tell_edited
from patchq.commands.editing import open_desk, publish_edit
from patchq.patchfile.read import read_patch
from patchq.queue.compose import relabelled
from patchq.queue.edited import Edited, carried_layers
from patchq.queue.finding import find_patch, free_name
from patchq.queue.order import replaced
from patchq.seriesstore.seriesfile import renamed_line

if TYPE_CHECKING:
    from patchq.commands.editing import Desk
    from patchq.commands.session import Session
    from patchq.model.names import PatchName
    from patchq.model.series import Ledger


@click.command()
@click.argument("old", type=PATCH)
@click.argument("new")
@click.pass_obj
def command(session: Session, *, old: str, new: str) -> int:
    r"""Give the patch OLD the name NEW. Its message stays as it is; for that there is patchq edit.

    OLD may be any unique beginning of a name. A name that another patch or file of the folder has is refused.

    \b
    Examples:
      patchq rename fix-1 sm120-allreduce-gate
      patchq undo
    """
    with open_desk(session, "rename") as desk:
        entry = find_patch(desk.series, old)
        patch, name = entry.patch, free_name(desk.series, new)
        named = read_patch(name, patch.raw, file=name.file_name)
        layers = [relabelled(it, named, desk.ground) if it.patch.name == patch.name else it for it in desk.layers]
        order = replaced(desk.series.entries, patch.name, [replace(entry, patch=named)])
        edited = Edited(
            order=order,
            layers=carried_layers(order, layers),
            heirs={name: patch.name},
            lines=renamed_line(desk.series.lines, patch.name, name),
        )
        outcome = publish_edit(desk, edited, "rename", ledger=_ledger(desk, patch.name, name))
        return tell_edited(session, edited, outcome, verb="rename", done=[f"{patch.name} is {name} now"])


def _ledger(desk: Desk, old: PatchName, new: PatchName) -> Ledger | None:
    """Let retired patches that stood behind this one find their place again; None where there is none."""
    ledger = desk.workspace.store.ledger()
    entries = tuple(replace(entry, after=new) if entry.after == old else entry for entry in ledger.entries)
    return None if entries == ledger.entries else replace(ledger, entries=entries)
