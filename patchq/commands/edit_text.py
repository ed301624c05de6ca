"""A message as `patchq edit` changes it: by options, or in the user's editor above a look at the diff."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from patchq.errors import GitError
from patchq.patchfile.render import render_changes
from patchq.patchfile.trailers import render_trailer
from patchq.queue.arrival import read_message

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from patchq.gitstore.repository import Repository
    from patchq.model.patch import Message, Patch, Trailer

# As for `git commit --cleanup=scissors`: lines that begin with `#` may belong to the message.
_SCISSORS = b"# ------------------------ >8 ------------------------\n"
_ADVICE = b"# The first paragraph is the subject. Everything from the line above on is ignored.\n"
_FILE = "COMMIT_EDITMSG"  # the name by which editors know what it is


def reworded(text: Message, paragraphs: Sequence[str], added: Sequence[Trailer], without: Collection[str]) -> Message:
    """Change a message by what the options say: another subject and body, trailers removed and then added."""
    kept = tuple(trailer for trailer in text.trailers if trailer.key.lower() not in without)
    if paragraphs:
        typed = read_message("\n\n".join(paragraphs).encode("utf-8", "surrogateescape"))
        more = tuple(trailer for trailer in typed.trailers if trailer not in kept)
        text, kept = replace(text, subject=typed.subject, body=typed.body), (*kept, *more)
    return replace(text, trailers=(*kept, *(trailer for trailer in added if trailer not in kept)))


def typed_file(repo: Repository) -> Path:
    """Return the file in which the user writes; it stays until the next time."""
    return repo.state_dir / _FILE


def ask_editor(repo: Repository, patch: Patch, text: Message) -> Message:
    """Let the user edit the message; GitError where the editor cannot be started or fails."""
    file, editor = typed_file(repo), repo.editor()
    diff = render_changes(patch.changes)
    file.write_bytes(_typed(text) + b"\n" + _SCISSORS + _ADVICE + diff)
    try:
        # Through a shell, as git calls it: the setting may hold options, variables, or a whole script.
        click.edit(filename=str(file), editor=shlex.join(["sh", "-c", f'{editor} "$@"', editor]))
    except click.ClickException as error:
        raise GitError(
            f"the editor failed, {editor}; nothing was changed",
            hint="set core.editor, or give the message with -m TEXT",
        ) from error
    told, _, _ = file.read_bytes().replace(b"\r\n", b"\n").partition(_SCISSORS)
    typed = read_message(told)
    return replace(text, subject=typed.subject, body=typed.body, trailers=typed.trailers)


def _typed(text: Message) -> bytes:
    trailers = b"".join(map(render_trailer, text.trailers))
    return b"\n\n".join(part.rstrip(b"\n") for part in (text.subject, text.body, trailers) if part) + b"\n"
