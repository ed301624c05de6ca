"""`patchq new NAME`: what is changed in the checkout becomes a patch of its own, on top of the applied ones."""

from __future__ import annotations

import shlex
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from patchq.commands.edit_outcome import tell_edited, tell_refused
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.screen import program_of
from patchq.commands.work import listed, work_of
from patchq.gitstore.moving import Files
from patchq.gitstore.pathspec import Pathspecs
from patchq.model.patch import GitDate
from patchq.model.series import Entry
from patchq.model.verdict import Accept
from patchq.patchfile.read import canonical
from patchq.queue.arrival import read_message, signed
from patchq.queue.compose import Tree, after, before, rewritten
from patchq.queue.edited import Edited, carried_layers
from patchq.queue.finding import free_name
from patchq.queue.layers import restack
from patchq.queue.order import Beside, End, Side, put
from patchq.report.rows import Item
from patchq.report.words import counted

if TYPE_CHECKING:
    from patchq.commands.session import Session


@click.command()
@click.argument("name")
@click.option("-m", "--message", multiple=True, metavar="TEXT", help="Its message; again for a paragraph.")
@click.option("--paths", multiple=True, metavar="PATHSPEC", help="Take these files only, as git reads paths here.")
@click.option("--accept", type=click.Choice(["review"]), help="Take results of classes D and E, too.")
@click.pass_obj
def command(
    session: Session, *, name: str, message: tuple[str, ...], paths: tuple[str, ...], accept: str | None
) -> int:
    r"""Make the patch NAME of what is changed in the work tree, new files included, on top of the applied patches.

    The checkout must stand on the built branch; no file is written in it. There are no empty patches: change the files
    first, then make the patch of them. The author is you, the default message is the name.

    \b
    Examples:
      patchq new sm120-gate -m "Let SM120 through the gate"
      patchq new sm120-docs --paths docs
    """
    with open_desk(session, "new") as desk:
        chosen = free_name(desk.series, name)
        text = "\n\n".join(message) if any(part.strip() for part in message) else str(chosen)
        work = work_of(desk, read_message(text.encode("utf-8", "surrogateescape")), Pathspecs(session.here, paths))
        now = datetime.now(UTC).astimezone()
        date = GitDate(int(now.timestamp()), f"{now:%z}"[:5])
        patch = canonical(replace(signed(work.layer.patch, desk.workspace.repo.identity(), date), name=chosen))
        layer = rewritten(patch, before(work.layer), Tree(work.layer.after, after(work.layer).origins), desk.ground)
        top = work.standing.names[-1:]
        place = Beside(Side.AFTER, top[0]) if top else End.FIRST
        order = put(desk.series.entries, [Entry(patch=layer.patch)], place)
        layers = carried_layers(order, [*desk.layers, layer])
        stack = restack(layers, desk.ground, Accept.REVIEW if accept else Accept.PROVEN)
        if stack.failures:
            words = [*program_of(session), "new", name, *(it for text in message for it in ("-m", text))]
            hints = [Item("hint", "apply them first, then make the patch on top:", "git stash; patchq push -a")]
            accepting = shlex.join([*words, "--accept", "review"])
            return tell_refused(session, desk, stack.failures, verb="new", hints=hints, accept=accepting)
        edited = Edited(order=order, layers=stack.layers, sources={chosen: "work tree"})
        outcome = publish_edit(desk, edited, "new", files=Files.STAY, top=chosen)
        done = [f"{chosen} is a new patch, of {counted(len(work.paths), 'file')}: {listed(work.paths)}"]
        return tell_edited(session, edited, outcome, verb="new", done=done, made=[chosen])
