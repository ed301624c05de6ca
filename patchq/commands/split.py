"""`patchq split PATCH`: named files or hunks of a patch into one of their own, or one patch for each file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import tell_edited
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.split_choice import select
from patchq.errors import SeriesError, UsageError
from patchq.model.names import PatchName
from patchq.model.patch import Message
from patchq.model.series import Standing
from patchq.queue.arrival import read_message
from patchq.queue.edited import Edited
from patchq.queue.finding import find_patch, free_name, numbered_name
from patchq.queue.order import Side, replaced
from patchq.queue.splitting import NewPart, Selection, split

if TYPE_CHECKING:
    from patchq.commands.editing import Desk
    from patchq.commands.session import Session
    from patchq.queue.layers import Layer


@click.command("split")
@click.argument("patch", type=PATCH)
@click.option("--files", multiple=True, metavar="PATHSPEC", help="Take these files, as git reads paths here.")
@click.option("--hunks", multiple=True, metavar="PATH:1,3", help="Take these hunks of a file, as patchq show has them.")
@click.option("--by-file", is_flag=True, help="One patch for each file; the first one keeps the name.")
@click.option("--name", metavar="NEW", help="The name of the new patch.")
@click.option(
    "-m", "--message", multiple=True, metavar="TEXT", help="Its message (default: the subject, and its name)."
)
@click.option("--before", is_flag=True, help="Put it in front of the rest (default).")
@click.option("--after", is_flag=True, help="Put it behind the rest.")
@click.pass_obj
def command(
    session: Session,
    *,
    patch: str,
    files: tuple[str, ...],
    hunks: tuple[str, ...],
    by_file: bool,
    name: str | None,
    message: tuple[str, ...],
    before: bool,
    after: bool,
) -> int:
    r"""Take files or hunks of PATCH into a new patch, with the same author and date; the rest keeps name and message.

    Both together make what PATCH made, byte for byte, and no other patch changes. Expect: and Mirror: go with their
    file. A new patch needs a --name.

    \b
    Examples:
      patchq split sm120-gate --files docs --name sm120-gate-docs --after
      patchq split sm120-gate --hunks pkg/gate.py:1,3 --name sm120-helpers -m "Helpers for the gate"
      patchq split sm120-gate --by-file
    """
    if by_file is bool(files or hunks):
        raise UsageError(
            "split it how?", hint=f"patchq split {patch} --files PATH --name NEW, or --hunks, or --by-file"
        )
    if by_file is (name is not None) or (before and after):
        what = "--by-file finds the names itself" if by_file else "--before and --after exclude each other"
        raise UsageError(what if by_file or name is not None else "the new patch needs a name", hint="--name NEW")
    with open_desk(session, "split") as desk:
        entry = find_patch(desk.series, patch)
        old = entry.patch
        if entry.standing is not Standing.CARRIED:
            raise SeriesError(f"{old.name} is not carried, so what it would do is not known")
        layer = next(it for it in desk.layers if it.patch.name == old.name)
        if name is None:
            parts = _by_file(desk, layer)
        else:
            text = "\n\n".join(message).encode("utf-8", "surrogateescape")
            told = read_message(text) if text.strip() else _subject(layer, name)
            new = NewPart(name=free_name(desk.series, name), message=told, side=Side.AFTER if after else Side.BEFORE)
            parts = split(layer, select(desk.workspace.repo, session.here, old, files, hunks), new, desk.ground)
        layers = [it for one in desk.layers for it in (parts if one is layer else (one,))]
        order = replaced(desk.series.entries, old.name, [replace(entry, patch=it.patch) for it in parts])
        sources = {it.patch.name: f"split from {old.name}" for it in parts if it.patch.name != old.name}
        edited = Edited(order=order, layers=tuple(layers), sources=sources)
        outcome = publish_edit(desk, edited, "split")
        done = [f"{old.name} is {', '.join(str(it.patch.name) for it in parts)} now"]
        made = [it.patch.name for it in parts]
        return tell_edited(session, edited, outcome, verb="split", done=done, made=made)


def _subject(layer: Layer, what: str) -> Message:
    subject = b"%s (%s)" % (layer.patch.message.subject, what.encode("utf-8", "surrogateescape"))
    return Message(author=None, date=None, subject=subject)


def _by_file(desk: Desk, layer: Layer) -> tuple[Layer, ...]:
    """Split off all files but the first, again and again."""
    done: list[Layer] = []
    whole, rest = layer, layer
    while len({change.path for change in rest.patch.changes}) > 1:
        first, second, *_ = paths = list(dict.fromkeys(change.path for change in rest.patch.changes))
        told = second.decode("utf-8", "replace")
        wanted = PatchName.from_title(f"{whole.patch.name}-{told.rpartition('/')[2]}")
        name = numbered_name(desk.series, wanted, [it.patch.name for it in done] + [rest.patch.name])
        part = NewPart(name=name, message=_subject(whole, told), side=Side.AFTER)
        lower, rest = split(rest, Selection(frozenset(paths) - {first}), part, desk.ground)
        done.append(lower)
    if not done:
        raise SeriesError(f"{layer.patch.name} touches one file only", hint="split it by --hunks PATH:1,3")
    return (*done, rest)
