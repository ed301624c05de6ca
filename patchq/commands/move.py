"""`patchq move PATCH`: another place in the order; what it passes is carried again, and the whole stays the same."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import name_notes, refuse_other_whole, tell_edited, tell_refused
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.screen import program_of
from patchq.errors import UsageError
from patchq.model.verdict import Accept
from patchq.queue.edited import Edited, carried_layers
from patchq.queue.finding import find_patch
from patchq.queue.layers import restack
from patchq.queue.order import Beside, End, Side, moved
from patchq.report.rows import Item

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.model.series import Series
    from patchq.queue.order import Place


@click.command()
@click.argument("patch", type=PATCH)
@click.option("--before", type=PATCH, metavar="PATCH", help="Directly before this patch.")
@click.option("--after", type=PATCH, metavar="PATCH", help="Directly behind this patch.")
@click.option("--first", is_flag=True, help="At the bottom: it is applied first.")
@click.option("--last", is_flag=True, help="On top: it is applied last.")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.pass_obj
def command(
    session: Session,
    *,
    patch: str,
    before: str | None,
    after: str | None,
    first: bool,
    last: bool,
    accept: str | None,
) -> int:
    r"""Move PATCH to another place in the order of the series.

    The patches on its way are carried to their new place in memory, and with all patches the files must be what they
    were, byte for byte. When a patch cannot follow, all of them are named and nothing is changed (exit code 3).

    \b
    Examples:
      patchq move sm120-gate --before sm120-sizes
      patchq move debug-prints --last
    """
    if sum((before is not None, after is not None, first, last)) != 1:
        raise UsageError("move it where?", hint=f"patchq move {patch} --before PATCH (or --after, --first, --last)")
    with open_desk(session, "move") as desk:
        name = find_patch(desk.series, patch).patch.name
        place = _place(desk.series, before, after, End.FIRST if first else End.LAST)
        if isinstance(place, Beside) and place.name == name:
            raise UsageError(f"{name} cannot stand beside itself")
        order = moved(desk.series.entries, name, place)
        if order == desk.series.entries:
            return tell_edited(
                session,
                Edited(order=order, layers=desk.layers),
                desk.as_is,
                verb="move",
                done=[f"{name} is there already"],
            )
        stack = restack(carried_layers(order, desk.layers), desk.ground, Accept.REVIEW if accept else Accept.PROVEN)
        if stack.failures:
            typed = [*program_of(session), "move", str(name), *_option(place)]
            hints = [Item("hint", "move what they need as well, or fold them: patchq fold PATCH INTO")]
            accepting = shlex.join([*typed, "--accept", "review"])
            return tell_refused(session, desk, stack.failures, verb="move", hints=hints, accept=accepting)
        refuse_other_whole(desk, stack.layers)
        edited = Edited(order=order, layers=stack.layers)
        notes = name_notes(desk, edited)
        outcome = publish_edit(desk, edited, "move")
        position = [entry.patch.name for entry in order].index(name) + 1
        done = [f"{name} is at place {position} of {len(order)} now"]
        return tell_edited(session, edited, outcome, verb="move", done=done, hints=notes)


def _place(series: Series, before: str | None, after: str | None, end: End) -> Place:
    if before is not None:
        return Beside(Side.BEFORE, find_patch(series, before).patch.name)
    if after is not None:
        return Beside(Side.AFTER, find_patch(series, after).patch.name)
    return end


def _option(place: Place) -> list[str]:
    return [f"--{place.side.value}", str(place.name)] if isinstance(place, Beside) else [f"--{place.value}"]
