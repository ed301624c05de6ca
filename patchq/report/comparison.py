"""Two states of a series compared in the manner of git-range-diff: a mark for every patch, and what differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.series import Standing
from patchq.report.cells import cells, cut_middle, visible, wrap
from patchq.report.document import ref_point
from patchq.report.excerpt import marked_lines
from patchq.report.interdiff import compare, same_change
from patchq.report.jsonsafe import Json, JsonObject, document
from patchq.report.rows import INDENT
from patchq.report.style import Tint
from patchq.report.table import joined, point
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.pairs import Pair, Placed
    from patchq.model.patch import Patch
    from patchq.model.series import Series
    from patchq.report.style import Style


class Likeness(Enum):
    """How a patch of one series is to its mate in the other; the mark of its line."""

    SAME = "="
    CONTEXT = "~"  # the lines around it differ
    CONTENT = "!"  # what it adds or removes differs
    LEFT = "<"
    RIGHT = ">"


_TINTS = {
    Likeness.SAME: None,
    Likeness.CONTEXT: Tint.CYAN,
    Likeness.CONTENT: Tint.YELLOW,
    Likeness.LEFT: Tint.RED,
    Likeness.RIGHT: Tint.GREEN,
}
_WORDS = {
    Likeness.SAME: "the same",
    Likeness.CONTEXT: "in other context",
    Likeness.CONTENT: "changed",
}


_KEY = "- + added or removed lines that differ, < > context that differs"


class Shown(Enum):
    """How much of a difference is shown."""

    MARKS = "marks"
    PATCH = "patch"  # the interdiff, too


@dataclass(frozen=True, slots=True)
class Compared:
    """Two states of a series, and their patches paired."""

    left: Series
    right: Series
    pairs: tuple[Pair, ...]


def likeness(pair: Pair) -> Likeness:
    """Compare the patches of a pair, without line numbers, section headings' places and blob ids."""
    if pair.left is None:
        return Likeness.RIGHT
    if pair.right is None:
        return Likeness.LEFT
    lines = compare(pair.left.entry.patch, pair.right.entry.patch)
    return Likeness.SAME if not lines else Likeness.CONTEXT if same_change(lines) else Likeness.CONTENT


def message_differs(left: Patch, right: Patch) -> bool:
    """Whether author, subject, body or trailers differ; the date does not count."""
    one, two = left.message, right.message
    return (one.author, one.subject, one.body, one.trailers) != (two.author, two.subject, two.body, two.trailers)


def comparison_table(compared: Compared, style: Style, shown: Shown) -> str:
    """Lay out one line a patch: mark, position there and here, name, and what to know; no line end at the end."""
    marks = [likeness(pair) for pair in compared.pairs]
    digits = max((len(str(placed.position)) for pair in compared.pairs for placed in _placed(pair)), default=1)
    lines: list[str] = []
    for mark, pair in zip(marks, compared.pairs, strict=True):
        numbers = f"{_position(pair.left, digits)} {_position(pair.right, digits)}"
        name = cut_middle(_name(pair), style.columns - cells(numbers) - 4)
        lines.append(f"{style.paint(mark.value, _TINTS[mark])} {numbers}  {name}")
        lines += [line for note in _notes(compared, pair) for line in _note(note, style)]
        if shown is Shown.PATCH and pair.left is not None and pair.right is not None:
            lines += marked_lines(compare(pair.left.entry.patch, pair.right.entry.patch), style, indent=INDENT)
    differs = {Likeness.CONTEXT, Likeness.CONTENT} & set(marks)
    key = wrap(_KEY, style.columns) if shown is Shown.PATCH and differs else []
    return joined([style.paint(_heading(compared), Tint.BOLD)], lines, key, _summary(compared, marks, style))


def comparison_document(compared: Compared, shown: Shown) -> JsonObject:
    """Give every pair with its mark; the interdiff only where it is asked for."""
    marks = [likeness(pair) for pair in compared.pairs]
    patches: list[Json] = [
        {
            "mark": mark.value,
            "left": _fields(pair.left),
            "right": _fields(pair.right),
            "notes": [*_notes(compared, pair)],
            **({"interdiff": _interdiff(pair)} if shown is Shown.PATCH else {}),
        }
        for mark, pair in zip(marks, compared.pairs, strict=True)
    ]
    fields: JsonObject = {
        "left": _side(compared.left),
        "right": _side(compared.right),
        "patches": patches,
        "summary": {one.name.lower(): marks.count(one) for one in Likeness},
    }
    return document("compare", fields)


def _placed(pair: Pair) -> list[Placed]:
    return [placed for placed in (pair.left, pair.right) if placed is not None]


def _name(pair: Pair) -> str:
    names = dict.fromkeys(str(placed.entry.patch.name) for placed in _placed(pair))
    return " -> ".join(names)


def _position(placed: Placed | None, digits: int) -> str:
    return ("-" if placed is None else str(placed.position)).rjust(digits)


def _notes(compared: Compared, pair: Pair) -> list[str]:
    """Say what the mark does not: another message, a patch that is not carried, one that upstream has."""
    notes = []
    if (
        pair.left is not None
        and pair.right is not None
        and message_differs(pair.left.entry.patch, pair.right.entry.patch)
    ):
        notes.append("the message differs")
    for placed, series in ((pair.left, compared.left), (pair.right, compared.right)):
        if placed is not None and placed.entry.standing is Standing.NOT_CARRIED:
            notes.append(f"not carried at {series.ref}")
    (here, other) = (pair.left, compared.right) if pair.right is None else (pair.right, compared.left)
    retired = None if other.record is None else other.record.retired
    if None in {pair.left, pair.right} and here is not None and here.entry.patch.name in (retired or ()):
        notes.append(f"upstream has it at {other.ref}")
    return notes


def _note(text: str, style: Style) -> list[str]:
    return wrap(visible(text), style.columns, first=INDENT, rest="      ")


def _heading(compared: Compared) -> str:
    return " against ".join(
        visible(series.ref) if series.record is None else point(series.record.base)
        for series in (compared.left, compared.right)
    )


def _summary(compared: Compared, marks: Sequence[Likeness], style: Style) -> list[str]:
    words = {
        **_WORDS,
        Likeness.LEFT: f"only at {visible(compared.left.ref)}",
        Likeness.RIGHT: f"only at {visible(compared.right.ref)}",
    }
    counts = Counter(marks)
    told = ", ".join(f"{counts[one]} {words[one]}" for one in Likeness if counts[one])
    total = counted(len(marks), "patch", "patches") + (f": {told}" if told else "")
    return wrap(total, style.columns, rest="  ")


def _fields(placed: Placed | None) -> Json:
    if placed is None:
        return None
    patch = placed.entry.patch
    return {
        "name": str(patch.name),
        "title": patch.message.title,
        "position": placed.position,
        "standing": placed.entry.standing.value,
    }


def _side(series: Series) -> Json:
    return {"ref": series.ref, "base": ref_point(series.record.base) if series.record is not None else None}


def _interdiff(pair: Pair) -> Json:
    if pair.left is None or pair.right is None:
        return None
    return [line.mark.value + line.text for line in compare(pair.left.entry.patch, pair.right.entry.patch)]
