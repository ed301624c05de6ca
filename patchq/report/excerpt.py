"""Short pieces of code for a screen: the three sides of an open place, and a patch against what it became."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.report.cells import cut, decoded, fold, visible, wrap
from patchq.report.interdiff import Mark, compare, same_change
from patchq.report.style import Tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.attempt import Conflict
    from patchq.model.patch import Patch
    from patchq.report.interdiff import Compared
    from patchq.report.style import Style

# Enough to see what a place is about; the patch and the upstream file have the rest.
_SIDE_LINES = 8
_INTERDIFF_LINES = 120
_LINE_CELLS = 400
_SIDE_LABEL = len("    upstream  ")


def three_sides(conflict: Conflict, style: Style) -> list[str]:
    """Show base, patch and upstream of a place, from one line before the first that differs; none if all are empty."""
    sides = {"base": conflict.base, "patch": conflict.theirs, "upstream": conflict.ours}
    if not any(sides.values()):
        return []
    split = {label: data.removesuffix(b"\n").split(b"\n") if data else [] for label, data in sides.items()}
    skipped = max(0, _common_lines(list(split.values())) - 1)
    out: list[str] = []
    for label, lines in split.items():
        out += _side(label, [b"...", *lines[skipped:]] if skipped and lines else lines, style)
    return out


def interdiff_view(before: Patch, after: Patch, style: Style) -> list[str]:
    """Show how a carried patch differs from the old one, with a key to the marks; none where it does not differ."""
    lines = compare(before, after)
    if not lines:
        return []
    told = "the change is the same, the lines around it differ" if same_change(lines) else "the change itself differs"
    key = "- + added or removed lines that differ, < > context that differs"
    out = [style.paint("the patch, before and after", Tint.BOLD)]
    out += [part for text in (told, key) for part in wrap(text, style.columns, first="  ", rest="    ")]
    out += marked_lines(lines[:_INTERDIFF_LINES], style, indent="  ")
    if len(lines) > _INTERDIFF_LINES:
        out.append(f"  ... and {counted(len(lines) - _INTERDIFF_LINES, 'more line')}")
    return out


def marked_lines(lines: Sequence[Compared], style: Style, *, indent: str) -> list[str]:
    """Show lines of an interdiff behind their marks; a wide one goes on below."""
    out = []
    for line in lines:
        text = line.mark.value + cut(line.text, _LINE_CELLS)
        out += [indent + style.paint(part, _mark_tint(line.mark)) for part in fold(text, style.columns - len(indent))]
    return out


def _common_lines(sides: list[list[bytes]]) -> int:
    first, *others = sides
    shortest = min(map(len, sides))
    return next((at for at in range(shortest) if any(side[at] != first[at] for side in others)), shortest)


def _side(label: str, lines: list[bytes], style: Style) -> list[str]:
    shown = lines or [b"(nothing)"]
    out: list[str] = []
    for line in shown[:_SIDE_LINES]:
        text = cut(visible(decoded(line[: 4 * _LINE_CELLS]).replace("\t", "    ")), _LINE_CELLS)
        bars = ["| "] + [": "] * len(text)
        out += [bar + part for bar, part in zip(bars, fold(text, style.columns - _SIDE_LABEL - 2), strict=False)]
    if len(shown) > _SIDE_LINES:
        out.append(f"| ... and {counted(len(shown) - _SIDE_LINES, 'more line')}")
    head = "    " + style.paint(label, Tint.BOLD) + " " * (_SIDE_LABEL - 4 - len(label))
    return [(" " * _SIDE_LABEL if index else head) + line for index, line in enumerate(out)]


def _mark_tint(mark: Mark) -> Tint | None:
    match mark:
        case Mark.OLD_CONTENT:
            return Tint.RED
        case Mark.NEW_CONTENT:
            return Tint.GREEN
        case Mark.OLD_CONTEXT | Mark.NEW_CONTEXT:
            return Tint.FAINT
        case Mark.UNKNOWN:
            return Tint.YELLOW
        case Mark.SAME:
            return None
        case _:
            assert_never(mark)
