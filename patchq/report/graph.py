"""Which patch needs which: the series in order with the reasons below each patch, and the same as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.model.need import NeedKind
from patchq.report.cells import visible, wrap
from patchq.report.jsonsafe import Json, JsonObject, document
from patchq.report.rows import INDENT, room
from patchq.report.table import joined
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.need import Need
    from patchq.report.style import Style


def graph_table(names: Sequence[PatchName], needs: Sequence[Need], style: Style) -> str:
    """List the patches in order, and below each the earlier ones that it needs, with the reasons."""
    lines: list[str] = []
    for name in names:
        lines.append(str(name))
        reasons: dict[PatchName, list[str]] = {}
        for need in needs:
            if need.patch == name:
                reasons.setdefault(need.on, []).append(_reason(need))
        for on, told in reasons.items():
            text = f"needs {on}: {'; '.join(told)}"
            lines += [INDENT + line for line in wrap(visible(text), room(style), rest="  ")]
    free = sum(1 for name in names if not any(name in {need.patch, need.on} for need in needs))
    total = f"{counted(len(names), 'patch', 'patches')}, {free} of them without any link to another"
    return joined(lines, wrap(total, style.columns))


def graph_document(ref: str, names: Sequence[PatchName], needs: Sequence[Need]) -> JsonObject:
    """Give each patch with its needs; `kind` is one of file, lines, beside, name, and `what` a path or a name."""
    patches: list[Json] = [
        {
            "name": str(name),
            "needs": [
                {"on": str(need.on), "kind": need.kind.value, "what": need.what} for need in needs if need.patch == name
            ],
        }
        for name in names
    ]
    return document("series", {"ref": ref, "patches": patches})


def _reason(need: Need) -> str:
    match need.kind:
        case NeedKind.FILE:
            return f"{need.what} is its file"
        case NeedKind.LINES:
            return f"changes its lines in {need.what}"
        case NeedKind.BESIDE:
            return f"changes lines beside its own in {need.what}"
        case NeedKind.NAME:
            return f"uses {need.what}"
        case _:
            assert_never(need.kind)
