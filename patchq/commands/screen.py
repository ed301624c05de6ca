"""How results look on this screen: colour and width, asked of the terminal once a verb prints."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from patchq.report.style import Colour, Style

if TYPE_CHECKING:
    from patchq.commands.session import Session

_WIDEST = 120


def style_of(session: Session) -> Style:
    """Give the style for standard output; not wider than 120 cells, which is as far as tables gain from it."""
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    return Style(colour=Colour.ON if session.coloured else Colour.OFF, width=width)
