"""Rows of patches: sigil, name, verdict and detail in columns that fit the terminal, notes indented below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.report.cells import cells, cut_middle, pad, wrap
from patchq.report.style import Tint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.report.style import Style

INDENT = "    "
_GAP = "  "
_WORD_WIDTH = 10  # `superseded`
_DETAIL_WIDTH = 10  # `structural`: what stays for the last column when a name is long


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One patch. Texts are visible already; `notes` are lines laid out by the caller, without the indent."""

    sigil: str
    name: str
    word: str
    detail: str
    tint: Tint | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to know or to do: a label, a sentence, and maybe a command to type."""

    label: str
    text: str
    command: str = ""


def room(style: Style) -> int:
    """Return how many cells a note line has behind its indent."""
    return style.columns - len(INDENT)


def laid_out(rows: Sequence[Row], style: Style, *, among: Sequence[Row] = ()) -> list[str]:
    """Lay `rows` out as lines, in columns shared with the rows `among` (default: only their own).

    A name longer than its column is cut in the middle; a detail that does not fit becomes the first note.
    """
    fixed = len("+ ") + len(_GAP) + _WORD_WIDTH + len(_GAP)
    names = [cells(row.name) for row in among or rows]
    name_width = min(max(names, default=0), style.columns - fixed - _DETAIL_WIDTH)
    detail_width = style.columns - fixed - name_width
    lines: list[str] = []
    for row in rows:
        fits = cells(row.detail) <= detail_width
        head = style.paint(row.sigil, row.tint) + " " + pad(cut_middle(row.name, name_width), name_width)
        word = style.paint(row.word, row.tint) + " " * (_WORD_WIDTH - cells(row.word))
        lines.append(f"{head}{_GAP}{word}{_GAP}{row.detail if fits else ''}".rstrip())
        lines += [INDENT + line for line in (() if fits else wrap(row.detail, room(style)))]
        lines += [INDENT + line for line in row.notes]
    return lines


def entries(items: Sequence[Item], style: Style) -> list[str]:
    """Lay items out: labels in a column, texts wrapped beside them, every command on a line of its own to be copied."""
    width = max((cells(item.label) for item in items), default=0) + len(_GAP)
    lines: list[str] = []
    for item in items:
        texts = wrap(item.text, style.columns - width) if item.text else []
        commands = command_lines(item.command, style.columns - width) if item.command else []
        below = [*texts, *(style.paint(line, Tint.BOLD) for line in commands)]
        lines += [(" " * width if index else pad(item.label, width)) + line for index, line in enumerate(below)]
    return lines


def command_lines(command: str, width: int) -> list[str]:
    r"""Break a command that is wider than `width` at its blanks, with a `\` at the line's end, as a shell reads it.

    A word is never broken: pasted, its halves would name another patch. Only such a word can be too wide.
    """
    if cells(command) <= width:
        return [command]
    lines = [""]
    for word in command.split(" "):
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > width - len(" \\"):
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return [*(line + " \\" for line in lines[:-1]), lines[-1]]
