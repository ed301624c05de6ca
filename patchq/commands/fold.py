"""`patchq fold PATCH [INTO]`: patches become one; those that stood between them are carried again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import refuse_other_whole, tell_edited, tell_refused
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.screen import program_of
from patchq.errors import SeriesError, UsageError
from patchq.model.series import Standing
from patchq.model.verdict import Accept
from patchq.patchfile.notes import notes_below
from patchq.queue.arrival import read_message
from patchq.queue.edited import carried_layers
from patchq.queue.finding import find_patch, find_patches
from patchq.queue.folding import folded, joined
from patchq.queue.layers import restack
from patchq.queue.order import gathered
from patchq.report.rows import Item

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.model.series import Entry, Series


@click.command()
@click.argument("patches", type=PATCH, nargs=-1, required=True, metavar="PATCH [INTO]")
@click.option("--into", type=PATCH, metavar="PATCH", help="Fold all PATCHES into this one.")
@click.option("-m", "--message", multiple=True, metavar="TEXT", help="The message of the whole (default: all of them).")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.pass_obj
def command(
    session: Session, *, patches: tuple[str, ...], into: str | None, message: tuple[str, ...], accept: str | None
) -> int:
    r"""Fold PATCH into INTO (default: the patch before it), which keeps its name, place, author and date.

    The messages are joined, trailers kept once. Patches that stand between are carried to their new place in memory,
    and with all patches the files stay what they were; else nothing is changed (exit code 3).

    \b
    Examples:
      patchq fold fix-typo
      patchq fold fix-typo sm120-gate
      patchq fold --into sm120-gate fix-typo fix-name -m "Let SM120 through the gate"
    """
    with open_desk(session, "fold") as desk:
        target, sources = _chosen(desk.series, patches, into)
        names = [entry.patch.name for entry in sources]
        order = gathered(desk.series.entries, names, target.patch.name)
        stack = restack(carried_layers(order, desk.layers), desk.ground, Accept.REVIEW if accept else Accept.PROVEN)
        if stack.failures:
            typed = [*program_of(session), "fold", "--into", str(target.patch.name), *map(str, names)]
            between = ", ".join(str(outcome.name) for outcome in stack.failures)
            hints = [Item("hint", f"fold or move {between} as well, or fold into a patch that is nearer")]
            accepting = shlex.join([*typed, "--accept", "review"])
            return tell_refused(session, desk, stack.failures, verb="fold", hints=hints, accept=accepting)
        refuse_other_whole(desk, stack.layers)
        told = read_message("\n\n".join(message).encode("utf-8", "surrogateescape")) if message else None
        known = {layer.patch.name: layer.patch for layer in stack.layers}
        patch = joined(known[target.patch.name], [known[name] for name in names], told)
        edited = folded(order, stack.layers, names, target.patch.name, patch, desk.ground)
        outcome = publish_edit(desk, edited, "fold")
        done = [f"{', '.join(map(str, names))} {'is' if len(names) == 1 else 'are'} in {target.patch.name} now"]
        lost = {it.patch.name: notes_below(it.patch.raw).decode("utf-8", "replace") for it in sources}
        hints = [Item("note", f"left out, from below the --- of {name}: {text}") for name, text in lost.items() if text]
        return tell_edited(session, edited, outcome, verb="fold", done=done, hints=hints, made=[target.patch.name])


def _chosen(series: Series, typed: tuple[str, ...], into: str | None) -> tuple[Entry, tuple[Entry, ...]]:
    """Read the command line: the patch that stays, and those that go into it, in the order of the series."""
    if into is not None:
        target, sources = find_patch(series, into), find_patches(series, typed)
    elif len(typed) == 1:
        source = find_patch(series, typed[0])
        index = series.entries.index(source)
        if index == 0:
            raise UsageError(
                f"{source.patch.name} is the first patch: fold it into which?",
                hint=f"patchq fold {source.patch.name} INTO",
            )
        target, sources = series.entries[index - 1], (source,)
    elif len(typed) == 2:  # noqa: PLR2004 - PATCH and INTO
        target, sources = find_patch(series, typed[1]), (find_patch(series, typed[0]),)
    else:
        raise UsageError("fold more than one patch into which?", hint=f"patchq fold --into PATCH {' '.join(typed)}")
    if target in sources:
        raise UsageError(f"{target.patch.name} cannot be folded into itself")
    for entry in (target, *sources):
        if entry.standing is not Standing.CARRIED:
            raise SeriesError(
                f"{entry.patch.name} is not carried, so what it would do is not known",
                hint=f"patchq explain {entry.patch.name} tells why; patchq drop {entry.patch.name} takes it out",
            )
    return target, sources
