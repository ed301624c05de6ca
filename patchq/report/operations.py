"""The log of operations as a table and as JSON: what each one was, when, and which branch and series it moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from patchq.report.cells import pad, visible, wrap
from patchq.report.jsonsafe import Json, JsonObject, document
from patchq.report.style import Tint
from patchq.report.words import commit_digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.report.style import Style

_NAMES_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An operation, by the number that `undo` takes; `moves` are branches with the commits before and after.

    `series` names what it changed in the series folder, and `patches` whose files it changed; `seconds` count from 1970
    in UTC.
    """

    number: int
    verb: str
    seconds: int
    undone: bool
    moves: tuple[tuple[str, str | None, str | None], ...]
    series: tuple[str, ...]
    patches: tuple[str, ...] = ()


def operations_table(listed: Sequence[Listed], style: Style) -> str:
    """Lay out the operations as given; times are those of this machine's zone."""
    if not listed:
        return "no operation yet"
    digits = max(len(str(one.number)) for one in listed)
    verbs = max(len(one.verb) for one in listed)
    lines = []
    for one in listed:
        head = f"{one.number:>{digits}}  {_local(one.seconds):%Y-%m-%d %H:%M}  {pad(visible(one.verb), verbs)}  "
        series = ", ".join(map(visible, one.series))
        parts = [
            _patches(one.patches),
            *map(_move, one.moves),
            f"series: {series}" if series else "",
            "undone" if one.undone else "",
        ]
        told = wrap("; ".join(filter(None, parts)), style.columns, first=head, rest=" " * len(head))
        lines += [style.paint(line, Tint.FAINT if one.undone else None) for line in told]
    return "\n".join(lines)


def operations_document(listed: Sequence[Listed]) -> JsonObject:
    """Give the same; times in ISO 8601, UTC."""
    entries: list[Json] = [
        {
            "number": one.number,
            "operation": one.verb,
            "when": datetime.fromtimestamp(one.seconds, UTC).isoformat(),
            "undone": one.undone,
            "branches": [{"name": name, "from": old, "to": new} for name, old, new in one.moves],
            "series": [*one.series],
            "patches": [*one.patches],
        }
        for one in listed
    ]
    return document("undo", {"operations": entries})


def _patches(names: Sequence[str]) -> str:
    return ", ".join(map(visible, names)) if len(names) <= _NAMES_SHOWN else f"{len(names)} patches"


def _move(move: tuple[str, str | None, str | None]) -> str:
    name, old, new = move
    if old == new:
        return f"{visible(name)} stays at {commit_digits(new or '')}"
    ends = ("none" if end is None else commit_digits(end) for end in (old, new))
    return f"{visible(name)} {' -> '.join(ends)}"


def _local(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC).astimezone()
