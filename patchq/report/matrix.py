"""Patches by refs: what every record of a series says of every patch, as a table and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.report.cells import cells, cut_middle, pad, visible, wrap
from patchq.report.document import BuiltBranch, branch_point, ref_point
from patchq.report.jsonsafe import Json, JsonObject, document
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined
from patchq.report.words import TOLD_ORDER, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.series import Ledger, Record, Standing
    from patchq.report.style import Style

_GAP = "  "
_NEW = "n"
_WIDEST_REF = 14
_WIDEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Column:
    """One folder of a series: the patches that its `series` file names, in order, and its record if it has one."""

    ref: str
    names: Mapping[PatchName, Standing]
    record: Record | None

    def verdict(self, name: PatchName) -> Verdict | None:
        """Return what is recorded of a patch here; None for one that is not here, or was never carried."""
        if name in self.names:
            known = None if self.record is None else self.record.find(name)
            return None if known is None else known.verdict
        return Verdict.ABSORBED if self.record is not None and name in (self.record.retired or ()) else None


def rows_of(columns: Sequence[Column], ledger: Ledger) -> tuple[PatchName, ...]:
    """Put the patches of all columns into one order: that of the first column, others behind what they stand behind."""
    order: list[PatchName] = []
    for column in columns:
        _merge(order, column.names)
    retired = {name for column in columns if column.record is not None for name in column.record.retired or ()}
    for entry in ledger.entries:
        if entry.name in retired:
            _merge(order, [entry.name] if entry.after not in order else [entry.after, entry.name])
    return tuple(order)


def matrix_table(columns: Sequence[Column], ledger: Ledger, style: Style) -> str:
    """Lay out sigils by patch and ref, newest ref first, as many refs as fit; no line end at the end."""
    names = rows_of(columns, ledger)
    name_width = min(max((cells(str(name)) for name in names), default=0), _WIDEST_NAME)
    shown: list[Column] = []
    used = name_width
    for column in columns:
        used += len(_GAP) + _width(column)
        if used > style.columns and shown:
            break
        shown.append(column)
    heads = "".join(_GAP + pad(_head(column), _width(column)) for column in shown)
    lines = [style.paint(f"{' ' * name_width}{heads}".rstrip(), Tint.BOLD)]
    for name in names:
        marks = "".join(_GAP + _cell(column, name, style) for column in shown)
        lines.append(f"{pad(cut_middle(str(name), name_width), name_width)}{marks}".rstrip())
    left = len(columns) - len(shown)
    more = f"; {counted(left, 'older ref')} not shown (--json has all)" if left else ""
    total = f"{counted(len(names), 'patch', 'patches')}, {counted(len(columns), 'ref')}{more}"
    return joined(lines, _legend(shown, names, style), wrap(total, style.columns, rest="  "))


def matrix_document(columns: Sequence[Column], ledger: Ledger, current: str | None) -> JsonObject:
    """Give all refs, newest first, and for each patch what every ref says; null where a ref does not know it."""
    patches: list[Json] = [
        {"name": str(name), "refs": {column.ref: told(column, name) for column in columns}}
        for name in rows_of(columns, ledger)
    ]
    return document("status", {"refs": ref_entries(columns, current), "patches": patches})


def ref_entries(columns: Sequence[Column], current: str | None) -> list[Json]:
    """Give the refs: what each stands on, and what is built for it."""
    return [
        {
            "ref": column.ref,
            "current": column.ref == current,
            "base": ref_point(column.record.base) if column.record is not None else None,
            "branch": branch_point(_branch(column.record)),
        }
        for column in columns
    ]


def told(column: Column, name: PatchName) -> Json:
    """Give what one ref says of one patch; None where it does not know it."""
    verdict = column.verdict(name)
    standing = column.names.get(name)
    if verdict is None and standing is None:
        return None
    return {
        "verdict": verdict.value if verdict is not None else None,
        "standing": standing.value if standing is not None else "retired",
    }


def _merge(order: list[PatchName], names: Iterable[PatchName]) -> None:
    at = 0
    for name in names:
        if name not in order:
            order.insert(at, name)
        at = order.index(name) + 1


def _cell(column: Column, name: PatchName, style: Style) -> str:
    verdict = column.verdict(name)
    mark = verdict.sigil if verdict is not None else _NEW if name in column.names else " "
    tint = verdict_tint(verdict) if verdict is not None else None
    return style.paint(mark, tint) + " " * (_width(column) - 1)


def _legend(columns: Sequence[Column], names: Sequence[PatchName], style: Style) -> list[str]:
    seen = {column.verdict(name) for column in columns for name in names}
    words = [f"{verdict.sigil} {verdict.value}" for verdict in TOLD_ORDER if verdict in seen]
    if any(column.verdict(name) is None and name in column.names for column in columns for name in names):
        words.append(f"{_NEW} new, never carried")
    out: list[str] = []
    for item in words:
        if out and cells(out[-1]) + len(_GAP) + cells(item) <= style.columns:
            out[-1] += _GAP + item
        else:
            out.append(item)
    return out


def _head(column: Column) -> str:
    return cut_middle(visible(column.ref), _WIDEST_REF)


def _width(column: Column) -> int:
    return cells(_head(column))


def _branch(record: Record | None) -> BuiltBranch | None:
    if record is None or record.branch is None or record.branch_commit is None:
        return None
    return BuiltBranch(record.branch, record.branch_commit)
