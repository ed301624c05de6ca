"""Small pieces of a page: names, commands, moments, and text from elsewhere made safe for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.patchfile.dates import iso_date
from patchq.report.cells import decoded, visible
from patchq.report.markup import element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.patch import GitDate
    from patchq.report.markup import Element

_CHARACTERS = 2000  # of a note, which may quote a whole file
_PROSE = 20_000
_ITEMS = 30


def shown(text: str) -> str:
    """Make one line of text from elsewhere safe, and bound it."""
    return visible(text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "...")


def prose(data: bytes) -> str:
    """Make a text of several lines safe, and bound it; its line ends stay."""
    text = decoded(data).replace("\r\n", "\n").replace("\t", "    ")
    text = text if len(text) <= _PROSE else text[:_PROSE] + "..."
    return "\n".join(visible(line) for line in text.strip("\n").split("\n"))


def some(items: Sequence[Element], tag: str) -> list[Element]:
    """Keep the first of many items, and say in an element `tag` how many follow."""
    left = len(items) - _ITEMS
    return [*items[:_ITEMS], *([element(tag, f"… and {left} more", class_="soft")] if left > 0 else [])]


def code(text: str) -> Element:
    """Show a name, a path or a place."""
    return element("code", shown(text))


def command_line(command: str) -> Element:
    """Show a command to type on a line of its own."""
    return element("code", visible(command), class_="command")


def moment(date: GitDate) -> Element:
    """Show the day of a date, which machines read in full."""
    told = iso_date(date)
    return element("time", told.partition("T")[0], datetime=told)


def patch_link(name: PatchName) -> Element:
    """Link to the article of a patch."""
    return element("a", str(name), class_="name mono", href=f"#patch-{name}")
