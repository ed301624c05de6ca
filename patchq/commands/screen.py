"""How results look on this screen: colour and width, asked of the terminal once a verb prints."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

from patchq.commands.workspace import short_path
from patchq.report.style import Colour, Style

if TYPE_CHECKING:
    from patchq.commands.session import Session

_WIDEST = 120


def style_of(session: Session) -> Style:
    """Give the style for standard output; not wider than 120 cells, which is as far as tables gain from it."""
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    return Style(
        colour=Colour.ON if session.coloured else Colour.OFF, width=width, program=shlex.join(program_of(session))
    )


def program_of(session: Session) -> list[str]:
    """Give the words that call patchq where this run works."""
    repo, series = session.repo_option, session.series_option
    words = ["patchq"]
    if repo is not None:
        words += ["--repo", str(short_path(repo))]
    if series is not None and (repo is None or series != repo / "series"):
        words += ["--series", str(short_path(series))]
    return words
