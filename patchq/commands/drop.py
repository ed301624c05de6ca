"""`patchq drop PATCH…`: patches leave the series for the ledger, with a reason; the others must do without them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import name_notes, tell_edited, tell_refused
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.screen import program_of
from patchq.model.verdict import Accept
from patchq.queue.dropping import dropped_entries, with_dropped
from patchq.queue.edited import Edited, carried_layers
from patchq.queue.finding import find_patches
from patchq.queue.layers import restack
from patchq.queue.order import without
from patchq.report.rows import Item
from patchq.report.words import counted

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("patches", type=PATCH, nargs=-1, required=True, metavar="PATCH...")
@click.option("--reason", metavar="TEXT", default="", help="Why it is not needed any more; kept in the ledger.")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.pass_obj
def command(session: Session, *, patches: tuple[str, ...], reason: str, accept: str | None) -> int:
    r"""Take patches out of the series. Their last text stays in ledger.yaml, as dropped, and it stays there.

    The later patches are carried on without them, in memory. When one of those cannot do without them, all such are
    named and nothing is changed (exit code 3). patchq undo takes it back.

    \b
    Examples:
      patchq drop old-knob --reason "upstream has a flag for it"
      patchq drop sm120-gate sm120-sizes
    """
    with open_desk(session, "drop") as desk:
        leaving = find_patches(desk.series, patches)
        names = [entry.patch.name for entry in leaving]
        order = without(desk.series.entries, names)
        stack = restack(carried_layers(order, desk.layers), desk.ground, Accept.REVIEW if accept else Accept.PROVEN)
        if stack.failures:
            typed = [*program_of(session), "drop", *map(str, names)]
            why = ["--reason", reason] if reason else []
            needing = [str(outcome.name) for outcome in stack.failures]
            both = shlex.join([*typed, *needing, *why])
            hints = [Item("hint", "they need what would go; to drop them as well:", both)]
            accepting = shlex.join([*typed, *why, "--accept", "review"])
            return tell_refused(session, desk, stack.failures, verb="drop", hints=hints, accept=accepting)
        edited = Edited(order=order, layers=stack.layers)
        notes = name_notes(desk, edited)
        retired = dropped_entries(desk.series, names, desk.ground.base, reason)
        ledger = with_dropped(desk.workspace.store.ledger(), retired)
        outcome = publish_edit(desk, edited, "drop", ledger=ledger)
        left = f"{counted(len(order), 'patch', 'patches')} left"
        done = [*(f"{name} is in the ledger now, as dropped" for name in names), left]
        return tell_edited(session, edited, outcome, verb="drop", done=done, hints=notes)
