"""Long results through the user's pager, as git shows them: on a terminal only, and never in the way of a result."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.commands.screen import style_of
from patchq.commands.session import Colour, Output, Paging
from patchq.gitstore.terminal import pager_command, terminal_settings
from patchq.report.style import Colour as Painting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.commands.session import Session
    from patchq.report.style import Style

# What git sets for them where the user has not: quit if it fits on one screen, keep colours, leave the screen alone.
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
_NOT_STARTED = frozenset({126, 127})  # of the shell: it cannot be run, it is not there


def page(session: Session, text: str) -> None:
    """Print a result for people, through the pager if standard output is a terminal."""
    command = _pager(session)
    if command is None or not text or not _shown_by(command, text):
        session.say(text)


def page_style(session: Session) -> Style:
    """Give the style for what `page` prints: without colour where `color.pager` says so and nothing else was typed."""
    style = style_of(session)
    if session.colour is not Colour.AUTO or _pager(session) is None:
        return style
    told = terminal_settings(session.repo_option)
    return style if told.colour_in_pager else replace(style, colour=Painting.OFF)


def _pager(session: Session) -> str | None:
    """Choose the pager; None where nothing is paged, `cat` and an empty setting included, as in git."""
    if session.output is not Output.TEXT or session.paging is Paging.NEVER or not sys.stdout.isatty():
        return None
    command = pager_command(session.repo_option)
    return None if command in {"", "cat"} else command


def _shown_by(command: str, text: str) -> bool:
    """Give `text` to the pager and wait until the user has left it; False where it could not be started."""
    environment: Mapping[str, str] = {**_DEFAULTS, **os.environ}
    sys.stdout.flush()
    # Through a shell, as git calls it: the setting may hold options and variables.
    with subprocess.Popen(["/bin/sh", "-c", command], stdin=subprocess.PIPE, env=environment) as process:
        try:
            process.communicate(text.encode("utf-8", "surrogateescape") + b"\n")
        except KeyboardInterrupt:  # the pager's own affair: less stops a search by it
            process.wait()
    return process.returncode not in _NOT_STARTED
