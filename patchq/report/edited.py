"""What an edit of the series did, or which patches could not follow it: a table and a document for every such verb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.report.cells import cut_path, visible, wrap
from patchq.report.document import branch_point, patch_entry
from patchq.report.jsonsafe import Json, JsonObject, document
from patchq.report.notes import all_notes, bounded, conflict_line, shown_path
from patchq.report.rows import Item, Row, entries, laid_out, room
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined
from patchq.report.words import Subject, counted, of_conflict, of_review

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.outcome import FileOutcome, PatchOutcome
    from patchq.report.document import BuiltBranch
    from patchq.report.style import Style

_FILES_SHOWN = 4
_PLACES_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """An edit that was published. `done` says in words what it did; `carried` are the patches whose text followed."""

    verb: str
    ref: str
    done: tuple[str, ...]
    branch: BuiltBranch | None
    carried: tuple[PatchOutcome, ...] = ()
    hints: tuple[Item, ...] = ()


def edit_table(report: EditReport, style: Style) -> str:
    """Lay out what was done, the patches that were carried to their new place, and where the branch is."""
    done = [line for text in report.done for line in wrap(visible(text), style.columns, rest="  ")]
    rows = [_row(outcome, style) for outcome in report.carried]
    followed = ["carried to their new place:", *laid_out(rows, style)] if rows else []
    built = f"branch {visible(report.branch.name)} is at {report.branch.commit[:12]}" if report.branch else ""
    return joined(done, followed, entries(report.hints, style), [built] if built else [])


def edit_document(report: EditReport) -> JsonObject:
    """Give an edit that was published; `patches` are those whose text followed."""
    fields: JsonObject = {
        "published": True,
        "ref": report.ref,
        "done": [*report.done],
        "branch": branch_point(report.branch),
        "patches": _entries(report.carried),
    }
    return document(report.verb, fields)


def refused_table(failures: Sequence[PatchOutcome], hints: Sequence[Item], style: Style) -> str:
    """Lay out which patches cannot follow an edit, and why; nothing was published."""
    rows = [_row(outcome, style) for outcome in failures]
    total = f"{counted(len(rows), 'patch', 'patches')} cannot follow; nothing was changed"
    head = wrap("in the new order, where `upstream` is the base with the patches before it:", style.columns)
    return joined([*head, *laid_out(rows, style)], entries(hints, style), wrap(total, style.columns))


def refused_document(verb: str, ref: str, failures: Sequence[PatchOutcome]) -> JsonObject:
    """Give the patches that cannot follow an edit, which was not published."""
    fields: JsonObject = {
        "published": False,
        "ref": ref,
        "done": [],
        "branch": None,
        "patches": _entries(failures),
    }
    return document(verb, fields)


def _entries(outcomes: Sequence[PatchOutcome]) -> list[Json]:
    return [patch_entry(outcome) for outcome in outcomes]


def _row(outcome: PatchOutcome, style: Style) -> Row:
    absorbed, blocked = outcome.verdict is Verdict.ABSORBED, outcome.verdict is Verdict.BLOCKED
    detail = "" if outcome.rung is None else outcome.rung.value
    kinds = [conflict.kind for file in outcome.files for conflict in file.conflicts]
    if absorbed:
        detail = "nothing of it would be left"
    elif blocked:
        detail = f"waits for {', '.join(map(str, outcome.blocked_by))}"
    elif kinds:
        detail = of_conflict(kinds[0], Subject()).phrase
    elif outcome.needs_review:
        detail = f"{detail}, needs review".removeprefix(", ")
    notes = bounded(all_notes(outcome), style)
    if outcome.needs_review and outcome.review is not None:
        notes += wrap(f"class {outcome.review.value}: {of_review(outcome.review, Subject()).phrase}", room(style))
    left_open = [file for file in outcome.files if file.conflicts]
    for file in left_open[:_FILES_SHOWN]:
        notes += [cut_path(shown_path(file), room(style)), *_places(file, style)]
    return Row(
        sigil=outcome.verdict.sigil,
        name=str(outcome.name),
        word=outcome.verdict.value,
        detail=detail,
        tint=Tint.YELLOW if outcome.needs_review else verdict_tint(outcome.verdict),
        notes=tuple(notes),
    )


def _places(file: FileOutcome, style: Style) -> list[str]:
    told = [visible(conflict_line(conflict, file, Subject())) for conflict in file.conflicts[:_PLACES_SHOWN]]
    return [line for text in told for line in wrap(text, room(style), first="  ", rest="    ")]


def standing_table(applied: Sequence[str], total: int, *, branch: str, attached: bool, style: Style) -> str:
    """Say on which patch the checkout stands now, and how HEAD is there."""
    where = f"now on {applied[-1]}" if applied else "now on the base, without any patch"
    detached = f"HEAD is detached at its commit of {branch}" if applied else "HEAD is detached there"
    how = f"HEAD is on {branch}" if attached else detached
    text = f"{where}: {len(applied)} of {counted(total, 'patch', 'patches')} applied; {how}"
    return "\n".join(wrap(visible(text), style.columns, rest="  "))


def standing_document(verb: str, applied: Sequence[str], total: int, *, branch: str | None, commit: str) -> JsonObject:
    """Give the applied patches in order; `branch` is null where HEAD is detached at `commit`."""
    fields: JsonObject = {"applied": [*applied], "total": total, "head": {"branch": branch, "commit": commit}}
    return document(verb, fields)
