"""An open run of `patchq resolve` on a screen and as JSON: the patch in question, its files, and what to type next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.report.cells import cut_path, visible
from patchq.report.document import patch_entry, ref_point
from patchq.report.jsonsafe import JsonObject, document
from patchq.report.notes import patch_notes
from patchq.report.rows import INDENT, Item, Row, entries, laid_out, room
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined, point
from patchq.report.words import Subject, counted, of_verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.outcome import PatchOutcome
    from patchq.model.series import RefPoint
    from patchq.report.style import Style

_FILES_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSitting:
    """What is told of a run: the patch open in `folder` (`place` as typed in a shell), and how far the run has come."""

    patch: str
    onto: RefPoint
    place: str
    folder: str
    files: tuple[str, ...]
    decided: int
    skipped: tuple[str, ...]
    since: str
    program: str


def open_table(told: OpenSitting, outcome: PatchOutcome, left: int, style: Style) -> str:
    """Lay out the open patch, its files in the work tree, and the commands that lead on; no line end at the end."""
    subject = replace(Subject(ref=told.onto.ref, program=style.program, onto=True), name=told.patch)
    row = Row(
        sigil=outcome.verdict.sigil,
        name=told.patch,
        word=outcome.verdict.value,
        detail="needs review" if outcome.needs_review else of_verdict(outcome.verdict, subject).phrase,
        tint=Tint.YELLOW if outcome.needs_review else verdict_tint(outcome.verdict),
        notes=tuple(patch_notes(outcome, subject, style)),
    )
    files = [INDENT + cut_path(visible(path), room(style)) for path in told.files[:_FILES_SHOWN]]
    more = len(told.files) - _FILES_SHOWN
    rest = [f"{INDENT}... and {counted(more, 'more file')}"] if more > 0 else []
    return joined(
        [style.paint(f"onto {point(told.onto)}", Tint.BOLD), *laid_out([row], style)],
        [f"it lies open in {told.place}, on the patches before it, in", *files, *rest],
        entries(_next(told, outcome), style),
        [f"{counted(left, 'more patch', 'more patches')} open after this one" if left else "no other patch is open"],
    )


def sitting_line(told: OpenSitting, style: Style) -> str:
    """Say in `status` that a run is open, and what to type."""
    text = f"{told.patch} lies open in {told.place} since {told.since}; when its files are right:"
    return "\n".join(entries([Item("resolve", text, f"{told.program} continue")], style))


def sitting_document(told: OpenSitting, outcome: PatchOutcome, left: Sequence[str]) -> JsonObject:
    """Give the open patch as the document of `resolve`, `continue` and `skip`."""
    return document("resolve", {**sitting_fields(told), "patch": patch_entry(outcome), "left": [*left]})


def sitting_fields(told: OpenSitting) -> JsonObject:
    """Give where a run stands: the patch that lies open and its files, and how many are decided."""
    return {
        "open": told.patch,
        "onto": ref_point(told.onto),
        "work_tree": told.folder,
        "files": [*told.files],
        "decided": told.decided,
        "skipped": [*told.skipped],
        "since": told.since,
    }


def _next(told: OpenSitting, outcome: PatchOutcome) -> list[Item]:
    if outcome.verdict is Verdict.ABSORBED:
        look = "see whether upstream has what the patch does; if it has:"
        return [Item("look", look, f"{told.program} continue --absorbed"), *_else(told)]
    if outcome.needs_review:
        edit = "the proposed result is in the files: look (git diff), edit it if it is wrong, then:"
        return [Item("look", edit, f"git -C {told.place} add -A && {told.program} continue"), *_else(told)]
    edit = "edit the files there as they should be (git status, git diff and git mergetool know them), then:"
    return [Item("edit", edit, f"git -C {told.place} add -A && {told.program} continue"), *_else(told)]


def _else(told: OpenSitting) -> list[Item]:
    return [
        Item("skip", "or leave the patch as not carried:", f"{told.program} skip"),
        Item("abort", "or end it, with all as it was before:", f"{told.program} abort"),
    ]
