"""`patchq edit PATCH`: the message and the trailers of a patch; its author, date and diff stay as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.commands.completing import PATCH
from patchq.commands.edit_outcome import tell_edited
from patchq.commands.edit_text import ask_editor, reworded, typed_file
from patchq.commands.editing import open_desk, publish_edit
from patchq.commands.workspace import open_workspace, short_path
from patchq.errors import PatchqError, SeriesError, UsageError
from patchq.patchfile.policy import SAID_ONCE
from patchq.patchfile.read import read_patch
from patchq.patchfile.rehead import replace_text, text_of
from patchq.patchfile.trailers import split_trailers
from patchq.queue.compose import relabelled
from patchq.queue.edited import Edited, carried_layers
from patchq.queue.finding import find_patch
from patchq.queue.order import replaced

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.model.patch import Message, Patch, Trailer


@click.command()
@click.argument("patch", type=PATCH)
@click.option("-m", "--message", multiple=True, metavar="TEXT", help="The new message; again for a paragraph.")
@click.option("--trailer", "trailers", multiple=True, metavar="'KEY: VALUE'", help="Add this trailer, or replace it.")
@click.option("--remove-trailer", "without", multiple=True, metavar="KEY", help="Remove the trailers of this key.")
@click.pass_obj
def command(
    session: Session, *, patch: str, message: tuple[str, ...], trailers: tuple[str, ...], without: tuple[str, ...]
) -> int:
    r"""Change what the message of PATCH says, in your editor (as for git commit), or by the options.

    A message by -m replaces subject and text; the trailers stay, unless one is removed. Author, date, diff, and header
    lines that patchq knows nothing of keep their bytes. A trailer of which there is but one, such as Forwarded:, takes
    the place of the old one. An unchanged message changes nothing, an empty one is refused.

    \b
    Examples:
      patchq edit sm120-gate
      patchq edit sm120-gate --trailer "Forwarded: https://example.org/pull/7" --remove-trailer Bug
      patchq edit sm120-gate -m "Let SM120 through the gate" -m "It was closed by mistake."
    """
    added = tuple(map(_trailer, trailers))
    workspace = open_workspace(session)
    old = find_patch(workspace.current(), patch).patch
    text = text_of(old.raw, file=old.name.file_name)
    keys = frozenset(key.lower() for key in without)
    if message or added or keys:
        _refuse_unknown(old, keys)
        keys |= {it.key.lower() for it in added if it not in old.message.trailers} & SAID_ONCE
        return _publish(session, old, reworded(text, message, added, keys), keys)
    text = ask_editor(workspace.repo, old, text)
    try:
        return _publish(session, old, text, keys)
    except PatchqError:
        session.progress(f"what you wrote is in {short_path(typed_file(workspace.repo))}")
        raise


def _publish(session: Session, old: Patch, text: Message, keys: frozenset[str]) -> int:
    """Write the message into the patch, if it still is as it was when the editor was opened."""
    name, file = old.name, old.name.file_name
    if not text.subject.strip():
        raise SeriesError(
            "the message is empty; nothing was changed", hint=f"to take the patch out: patchq drop {name}"
        )
    raw = replace_text(old.raw, text, file=file, without=keys)
    with open_desk(session, "edit") as desk:
        entry = find_patch(desk.series, str(name))
        if entry.patch.raw != old.raw:
            raise SeriesError(f"{file} was edited meanwhile; nothing was changed", hint="run it again")
        if raw == old.raw or (text == text_of(old.raw, file=file) and not keys):
            edited = Edited(order=desk.series.entries, layers=desk.layers)
            done = [f"{name}: its message is unchanged"]
            return tell_edited(session, edited, desk.as_is, verb="edit", done=done)
        new = read_patch(name, raw, file=file)
        layers = [relabelled(it, new, desk.ground) if it.patch.name == name else it for it in desk.layers]
        order = replaced(desk.series.entries, name, [replace(entry, patch=new)])
        edited = Edited(order=order, layers=carried_layers(order, layers))
        outcome = publish_edit(desk, edited, "edit")
        return tell_edited(session, edited, outcome, verb="edit", done=[f"{name} has a new message"])


def _trailer(typed: str) -> Trailer:
    body, found = split_trailers(typed.encode("utf-8", "surrogateescape"))
    if body or len(found) != 1:
        raise UsageError(f"{typed!r} is not a trailer", hint="write it as 'Key: value'")
    return found[0]


def _refuse_unknown(patch: Patch, keys: frozenset[str]) -> None:
    known = sorted({trailer.key for trailer in patch.message.trailers})
    for key in keys - {key.lower() for key in known}:
        raise SeriesError(f"{patch.name} has no trailer {key!r}", hint=f"it has {', '.join(known) or 'none'}")
