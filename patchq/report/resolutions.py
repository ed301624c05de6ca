"""Remembered resolutions as a table and as JSON: id, patch, the upstream they were made for, and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.resolution import Decision
from patchq.patchfile.parse import parse_changes
from patchq.report.cells import cells, cut, decoded, pad, visible
from patchq.report.jsonsafe import JsonObject, document, text
from patchq.report.table import joined
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.resolution import Resolution
    from patchq.report.style import Style


def resolutions_table(entries: Sequence[Resolution], *, style: Style) -> str:
    """Lay out one line for each, and how many there are."""
    width = max((cells(str(entry.name)) for entry in entries), default=0)
    lines = [
        cut(f"{entry.identity}  {pad(str(entry.name), width)}  {visible(entry.ref)}  {_what(entry)}", style.columns)
        for entry in entries
    ]
    return joined(lines, [f"{counted(len(entries), 'resolution')} remembered"])


def resolutions_document(entries: Sequence[Resolution], forgotten: Sequence[Resolution]) -> JsonObject:
    """Give the remembered resolutions, and those just forgotten."""
    fields: JsonObject = {
        "resolutions": [_entry(entry) for entry in entries],
        "forgotten": [_entry(entry) for entry in forgotten],
    }
    return document("resolutions", fields)


def _entry(entry: Resolution) -> JsonObject:
    return {
        "id": entry.identity,
        "key": entry.key,
        "patch": str(entry.name),
        "ref": entry.ref,
        "decision": entry.decision.value,
        "files": [text(path) for path in _paths(entry)],
    }


def _what(entry: Resolution) -> str:
    if entry.decision is Decision.ABSORBED:
        return "upstream has it"
    return ", ".join(visible(decoded(path)) for path in _paths(entry)) or "as carried"


def _paths(entry: Resolution) -> list[bytes]:
    changes = parse_changes(entry.diff, file="resolutions.yaml") if entry.diff else ()
    return list(dict.fromkeys(change.path for change in changes))
