"""The recorded state of a series as tables: what is still needed, what is not carried, what upstream took over."""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.model.series import Retirement, Standing
from patchq.model.verdict import Verdict
from patchq.report.cells import cells, cut, cut_middle, cut_path, decoded, pad, visible, wrap
from patchq.report.notes import bounded, command_note
from patchq.report.policy import overdue, policy_notes
from patchq.report.rows import INDENT, Item, Row, entries, laid_out, room
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined, point
from patchq.report.words import Subject, commit_digits, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from patchq.errors import PatchFormatError
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.policy import Policy
    from patchq.model.series import Entry, Ledger, PatchRecord, Record, Series
    from patchq.report.style import Style

_STRAYS_SHOWN = 6
_NEVER = "never carried yet"


class Listed(Enum):
    """How far a series is listed."""

    PATCHES = "patches"
    FILES = "files"  # of each patch, too


def status_table(
    series: Series,
    ledger: Ledger,
    *,
    style: Style,
    policies: Mapping[PatchName, Policy | PatchFormatError] | None = None,
    today: date | None = None,
    turned: Mapping[PatchName, str] | None = None,
) -> str:
    """Lay out what is recorded: patches still needed, then those not carried, then how many the ledger keeps.

    `today` is the day for which `policies` may be overdue; `turned` says of conditions that have another answer now.
    """
    told = policies or {}
    about = {name: [*policy_notes(it), *filter(None, [(turned or {}).get(name)])] for name, it in told.items()}
    records = {record.name: record for record in series.record.patches} if series.record is not None else {}
    rows = {
        entry.patch.name: _row(entry, records.get(entry.patch.name), about.get(entry.patch.name, []), style)
        for entry in series.entries
    }
    needed = [rows[entry.patch.name] for entry in series.entries if entry.standing is Standing.CARRIED]
    left_out = [rows[entry.patch.name] for entry in series.entries if entry.standing is Standing.NOT_CARRIED]
    every = (*needed, *left_out)
    return joined(
        [style.paint(line, Tint.BOLD) for line in _head(series, style)],
        ["still needed", *laid_out(needed, style, among=every)] if needed else [],
        ["not carried", *laid_out(left_out, style, among=every)] if left_out else [],
        entries([*([] if today is None else overdue(told, today)), *to_carry(series, style.program)], style),
        _count(len(needed), len(left_out), ledger, style),
    )


def series_table(
    series: Series,
    *,
    style: Style,
    listed: Listed = Listed.PATCHES,
    applied: Sequence[PatchName] | None = None,
) -> str:
    """Lay out the patches of a series in order: position, name, title, and which of them are not carried.

    `applied` are the patches that the checkout has, in order: they are marked `+`, and the topmost one `>`; None where
    the checkout does not stand on the built branch.
    """
    names = [str(entry.patch.name) for entry in series.entries]
    digits = len(str(len(names)))
    name_width = min(max(map(cells, names), default=0), style.columns // 2)
    lines = []
    for position, (entry, name) in enumerate(zip(series.entries, names, strict=True), 1):
        mark, tint = _standing(entry.standing)
        place = " " if applied is None else _applied(entry.patch.name, applied)
        head = f"{position:>{digits}} {place}{pad(cut_middle(name, name_width), name_width)}  {mark}"
        title = cut(visible(entry.patch.message.title), style.columns - cells(head))
        lines.append(style.paint((head + title).rstrip(), tint))
        if listed is Listed.FILES:
            lines += [INDENT + line for line in _files(entry.patch, style)]
    carried = len(series.carried)
    left_out = f": {carried} carried, {len(names) - carried} not carried" if carried < len(names) else ""
    here = "" if applied is None else f"; {len(applied)} applied here"
    total = f"{counted(len(names), 'patch', 'patches')} for {visible(series.ref)}{left_out}{here}"
    return joined(lines, wrap(total, style.columns))


def files_table(patches: Sequence[Patch], *, style: Style) -> str:
    """Lay out the files that `patches` touch, each with the patches that do so and what each does, in series order."""
    found: dict[bytes, list[str]] = {}
    for patch in patches:
        for change in patch.changes:
            found.setdefault(change.path, []).append(f"{change.kind.value} {patch.name}")
    lines: list[str] = []
    for path, told in sorted(found.items()):
        lines.append(cut_path(visible(decoded(path)), style.columns))
        lines += [INDENT + line for line in wrap(", ".join(told), room(style))]
    total = f"{counted(len(found), 'file')} touched by {counted(len(patches), 'patch', 'patches')}"
    return joined(lines, [total])


def edited_since(patch: Patch, record: PatchRecord) -> bool:
    """Whether the patch file has other bytes than those recorded; a patch that was not read from a file has not."""
    return bool(patch.raw) and hashlib.sha256(patch.raw).hexdigest() != record.digest


def _files(patch: Patch, style: Style) -> list[str]:
    """Name what happens to each file, none left out."""
    width = max((len(change.kind.value) for change in patch.changes), default=0)
    heads = [f"{pad(change.kind.value, width)}  " for change in patch.changes]
    return [
        head + cut_path(visible(decoded(change.path)), room(style) - len(head))
        for head, change in zip(heads, patch.changes, strict=True)
    ]


def _applied(name: PatchName, applied: Sequence[PatchName]) -> str:
    if name not in applied:
        return "  "
    return "> " if name == applied[-1] else "+ "


def _standing(standing: Standing) -> tuple[str, Tint | None]:
    match standing:
        case Standing.CARRIED:
            return "", None
        case Standing.NOT_CARRIED:
            return "(not carried) ", Tint.FAINT
        case _:
            assert_never(standing)


def _head(series: Series, style: Style) -> list[str]:
    record = series.record
    if record is None:
        return [cut(f"{visible(series.ref)}, {_NEVER}", style.columns)]
    return wrap(f"{point(record.base)}{_branch(record)}", style.columns, rest="  ")


def _branch(record: Record) -> str:
    if record.branch is None or record.branch_commit is None:
        return ", not built"
    return f", built as {visible(record.branch)} ({commit_digits(record.branch_commit)})"


def _row(entry: Entry, record: PatchRecord | None, about: Sequence[str], style: Style) -> Row:
    name = str(entry.patch.name)
    if record is None:
        return Row(sigil=" ", name=name, word="new", detail=_NEVER, tint=None, notes=tuple(bounded([*about], style)))
    notes = [*about, *record.notes]
    look: list[str] = []
    if entry.standing is Standing.NOT_CARRIED and record.verdict is Verdict.GUARDED:
        detail = record.evidence
    elif entry.standing is Standing.NOT_CARRIED:
        detail = f"made for {visible(record.made_for.ref)}"
        notes = [record.evidence, *notes] if record.evidence else notes
        look = command_note("look: ", Subject(name=name, program=style.program).explain, style)
    else:
        detail = record.rung.value if record.rung is not None else ""
        if record.review is not None and record.review.needs_review:
            detail = f"{detail}, class {record.review.value}".removeprefix(", ")
    if edited_since(entry.patch, record):
        notes.append("its file was edited after it was last carried")
    return Row(
        sigil=record.verdict.sigil,
        name=name,
        word=record.verdict.value,
        detail=detail,
        tint=verdict_tint(record.verdict),
        notes=(*bounded(notes, style), *look),
    )


def to_carry(series: Series, program: str) -> list[Item]:
    """Name patch files that no line names, and say how new and edited patches are carried; `program` calls patchq."""
    records = {record.name: record for record in series.record.patches} if series.record is not None else {}
    known = [(entry.patch, records.get(entry.patch.name)) for entry in series.entries]
    stale = sum(record is None or edited_since(patch, record) for patch, record in known)
    text = f"carry {counted(stale, 'new or edited patch', 'new or edited patches')}:"
    ref = series.ref if series.record is None else series.record.base.ref
    carry = [Item("next", text, Subject(ref=ref, program=program).rebase())] if stale else []
    return [*_strays(series), *carry]


def _strays(series: Series) -> list[Item]:
    if not series.strays:
        return []
    names = ", ".join(visible(name) for name in series.strays[:_STRAYS_SHOWN])
    more = f" and {len(series.strays) - _STRAYS_SHOWN} more" if len(series.strays) > _STRAYS_SHOWN else ""
    return [Item("stray", f"{names}{more}: no line of the series names this; add a line, or delete the file")]


def _count(needed: int, left_out: int, ledger: Ledger, style: Style) -> list[str]:
    total = counted(needed + left_out, "patch", "patches")
    counts = ", ".join(f"{n} {what}" for n, what in ((needed, "still needed"), (left_out, "not carried")) if n)
    reasons = [entry.reason for entry in ledger.entries]
    left = ", ".join(f"{reasons.count(it)} {it.value}" for it in Retirement if it in reasons)
    kept = f"; {left}, in the ledger" if left else ""
    return wrap(total + (f": {counts}" if counts else "") + kept, style.columns, rest="  ")
