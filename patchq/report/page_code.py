"""Diffs and interdiffs for a page: every line escaped, runs of added and removed lines marked, long ones cut."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, assert_never

from patchq.patchfile.render import render_changes
from patchq.report.cells import decoded, visible
from patchq.report.diffview import LineSort, sorted_lines
from patchq.report.interdiff import Mark
from patchq.report.markup import element, extend
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from patchq.model.patch import Patch
    from patchq.report.interdiff import Compared
    from patchq.report.markup import Element

_LINE_CHARACTERS = 2000  # of a line that is shown; lines of minified code have a million


class Room:
    """How many characters of code a part of a page may still show; what is shown takes from it."""

    def __init__(self, characters: int) -> None:
        """Start with room for `characters`."""
        self._left = characters

    def take(self, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """Yield the lines that fit, each a tag and a text; one that does not fit ends it."""
        for tag, text in lines:
            self._left -= len(text) + 1
            if self._left < 0:
                return
            yield tag, text


def diff_block(patch: Patch, label: str, room: Room) -> list[Element]:
    """Show what a patch changes as git diff prints it, without blob ids; `label` names it for a screen reader."""
    data = render_changes(patch.changes)
    if not data:
        return [element("p", "It changes no file.")]
    # Two full blob ids are wider than a screen, and tell a reader nothing.
    told = ((line, sort) for line, sort in sorted_lines(data) if sort is not LineSort.FILE or line[:6] != b"index ")
    lines = [(_tag_of_sort(sort), _text(line)) for line, sort in told]
    return _block(lines, label, room)


def interdiff_block(lines: Sequence[Compared], label: str, room: Room) -> list[Element]:
    """Show how a patch differs from the one before, with the marks of `patchq compare -p`."""
    return _block([(_tag_of_mark(line.mark), line.mark.value + _cut(line.text)) for line in lines], label, room)


def _block(lines: Sequence[tuple[str, str]], label: str, room: Room) -> list[Element]:
    shown = list(room.take(lines))
    block = element("pre", class_="code", tabindex="0", role="group", aria_label=label)
    for tag, run in groupby(shown, key=lambda line: line[0]):
        text = "".join(f"{text}\n" for _, text in run)
        extend(
            block, text if not tag else element("span", text, class_=tag) if tag in {"f", "h"} else element(tag, text)
        )
    left = len(lines) - len(shown)
    more = element(
        "p", f"… and {counted(left, 'more line')}, left out here: the page would be too large.", class_="soft"
    )
    return [*([block] if shown else []), *([more] if left else [])]


def _text(line: bytes) -> str:
    return _cut("\t".join(visible(part) for part in decoded(line[: 4 * _LINE_CHARACTERS + 4]).split("\t")), len(line))


def _cut(text: str, size: int = 0) -> str:
    if len(text) <= _LINE_CHARACTERS:
        return text
    return f"{text[:_LINE_CHARACTERS]}… ({counted(max(size, len(text)), 'byte')})"


def _tag_of_sort(sort: LineSort) -> str:
    match sort:
        case LineSort.ADDED:
            return "ins"
        case LineSort.REMOVED:
            return "del"
        case LineSort.HUNK:
            return "h"
        case LineSort.FILE:
            return "f"
        case LineSort.OTHER:
            return ""
        case _:
            assert_never(sort)


def _tag_of_mark(mark: Mark) -> str:
    match mark:
        case Mark.NEW_CONTENT:
            return "ins"
        case Mark.OLD_CONTENT:
            return "del"
        case Mark.OLD_CONTEXT | Mark.NEW_CONTEXT:
            return "h"
        case Mark.UNKNOWN:
            return "f"
        case Mark.SAME:
            return ""
        case _:
            assert_never(mark)
