"""`patchq refresh [PATCH]`: what is changed in the checkout goes into a patch; the files stay exactly as they are."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import tell_edited, tell_refused
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.screen import program_of
from patchq.commands.work import listed, work_of
from patchq.errors import SeriesError
from patchq.gitstore.moving import Files
from patchq.gitstore.pathspec import Pathspecs
from patchq.model.patch import Message
from patchq.model.series import Entry
from patchq.model.verdict import Accept
from patchq.queue.edited import carried_layers
from patchq.queue.finding import find_patch
from patchq.queue.folding import folded
from patchq.queue.layers import differing, restack
from patchq.queue.order import Beside, Side, put
from patchq.report.rows import Item
from patchq.report.words import counted

if TYPE_CHECKING:
    from patchq.commands.editing import Desk
    from patchq.commands.session import Session
    from patchq.commands.work import Work
    from patchq.model.patch import Patch


@click.command()
@click.argument("patch", type=PATCH, required=False)
@click.option("--paths", multiple=True, metavar="PATHSPEC", help="Take these files only, as git reads paths here.")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.pass_obj
def command(session: Session, *, patch: str | None, paths: tuple[str, ...], accept: str | None) -> int:
    r"""Take what is changed in the work tree into PATCH (default: the topmost applied one), new files included.

    The checkout must stand on the built branch. Later patches are carried again in memory, and with all applied
    patches the files must be what they are in the work tree; else nothing is changed (exit code 3). No file is written
    in the work tree: the changes only stop being shown as such by git status.

    \b
    Examples:
      patchq refresh
      patchq refresh sm120-gate --paths pkg/gate.py
    """
    with open_desk(session, "refresh") as desk:
        work = work_of(desk, Message(author=None, date=None, subject=b"work tree"), Pathspecs(session.here, paths))
        target = _target(desk, work, patch)
        own = work.layer.patch.name
        order = put(desk.series.entries, [Entry(patch=work.layer.patch)], Beside(Side.AFTER, target.name))
        layers = carried_layers(order, [*desk.layers, work.layer])
        stack = restack(layers, desk.ground, Accept.REVIEW if accept else Accept.PROVEN)
        if stack.failures:
            again = [*program_of(session), "refresh"]
            hints = [Item("hint", "take it into the topmost patch, or into one of its own:", shlex.join(again))]
            typed = shlex.join([*again, str(target.name), *(it for path in paths for it in ("--paths", path))])
            accepting = f"{typed} --accept review"
            return tell_refused(session, desk, stack.failures, verb="refresh", hints=hints, accept=accepting)
        top = stack.layers[len(work.applied)].after
        if differing(top, work.layer.after):
            raise SeriesError(
                f"with the change in {target.name}, the patches after it would make other files than the work tree has",
                hint="take it into the topmost patch: patchq refresh",
            )
        edited = folded(order, stack.layers, {own}, target.name, target, desk.ground)
        outcome = publish_edit(desk, edited, "refresh", files=Files.STAY)
        done = [f"{counted(len(work.paths), 'file')} taken into {target.name}: {listed(work.paths)}"]
        return tell_edited(session, edited, outcome, verb="refresh", done=done, made=[target.name])


def _target(desk: Desk, work: Work, typed: str | None) -> Patch:
    """Choose the patch; it must be applied, for of another one the work tree shows nothing."""
    if not work.applied:
        raise SeriesError("no patch is applied here", hint="patchq new NAME makes one; patchq push -a applies them")
    if typed is None:
        return work.applied[-1].patch
    patch = find_patch(desk.series, typed).patch
    if patch.name not in work.standing.names:
        raise SeriesError(f"{patch.name} is not applied here", hint=f"patchq goto {patch.name}, then again")
    return patch
