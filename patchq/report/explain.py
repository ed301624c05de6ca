"""Why a patch ended as it did: each rung's answer, the edits and their proof, what is open with its three sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.model.attempt import Applied, Conflicted, Declined
from patchq.model.change import LineKind, TextBody
from patchq.model.verdict import Verdict
from patchq.report.cells import cut, decoded, fold, pad, visible, wrap
from patchq.report.excerpt import interdiff_view, three_sides
from patchq.report.notes import anchors_of, brought_by, conflict_line, place, shown_path
from patchq.report.rows import Item, entries
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined
from patchq.report.words import Subject, counted, of_absorption, of_conflict, of_review, of_rung, of_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.model.attempt import Attempt, Edit
    from patchq.model.outcome import FileOutcome, PatchOutcome
    from patchq.model.patch import Patch
    from patchq.model.series import RefPoint
    from patchq.report.style import Style

_LABEL = len("  evidence  ")
_RUNG = len("structural  ")
_SHOWN = 30  # items of one kind
_CHARACTERS = 2000  # of one item; a reason may quote a whole file


def explain(
    outcome: PatchOutcome,
    *,
    style: Style,
    onto: RefPoint | None = None,
    folder: str | None = None,
) -> str:
    """Tell all that is known about one outcome, file by file; no line end at the end.

    `onto` and `folder` are as in `replay_table`: with them the advice names the ref and the file to edit.
    """
    ref = onto.ref if onto is not None else "REF"
    subject = Subject(name=str(outcome.name), ref=ref, folder=folder or "series/REF", program=style.program)
    return joined(
        _head(outcome, subject, style),
        *(_file(file, outcome, subject, style) for file in outcome.files),
        interdiff_view(outcome.before, outcome.after, style) if outcome.after is not None else [],
        entries(_next(outcome, subject), style),
    )


def _head(outcome: PatchOutcome, subject: Subject, style: Style) -> list[str]:
    verdict = outcome.verdict
    sigil = style.paint(verdict.sigil, verdict_tint(verdict))
    names = [style.paint(part, Tint.BOLD) for part in fold(str(outcome.name), style.columns - 2)]
    lines = [("  " if index else f"{sigil} ") + part for index, part in enumerate(names)]
    lines += _field("title", [outcome.before.message.title], style)
    lines += _field("verdict", [f"{verdict.value}: {of_verdict(verdict, subject).phrase}"], style)
    if verdict is Verdict.ABSORBED:
        lines += _field("how", [of_absorption(outcome.absorbed_how, outcome.review)], style)
    lines += _field("landed", [brought_by(commit) for commit in outcome.landed_in], style)
    if outcome.blocked_by:
        lines += _field("waits", [str(name) for name in outcome.blocked_by], style)
    told_below = {note for file in outcome.files for note in file.notes}
    return lines + _field("note", [note for note in outcome.notes if note not in told_below], style)


def _file(file: FileOutcome, outcome: PatchOutcome, subject: Subject, style: Style) -> list[str]:
    lines = [style.paint(line, Tint.BOLD) for line in fold(shown_path(file), style.columns)]
    if file.old_path is not None:
        lines += _field("was", [decoded(file.old_path)], style)
    how = f": {of_rung(file.rung, subject).phrase} ({file.rung.value})" if file.rung is not None else ""
    lines += _field("verdict", [file.verdict.value + how], style)
    lines += _field("evidence", [file.evidence] if file.evidence else [], style)
    if file.review is not None:
        lines += _field("class", [f"{file.review.value}: {of_review(file.review, subject).phrase}"], style)
    applied = [trial.attempt.evidence for trial in file.trials if isinstance(trial.attempt, Applied)][-1:]
    edits = [edit for evidence in applied for edit in evidence.edits]
    lines += _field("anchor", filter(None, (place(anchor, file) for anchor in anchors_of(file))), style)
    lines += _field("place", _places(file, outcome), style)
    lines += _rungs(file, subject, style)
    lines += _field("edits", [_edit(edit, file) for edit in edits], style)
    lines += _field("proved", [proof for evidence in applied for proof in evidence.proofs], style)
    lines += _field("note", file.notes, style)
    for conflict in file.conflicts[:_SHOWN]:
        lines += _field("open", [f"{conflict.kind.value}: {conflict_line(conflict, file, subject)}"], style)
        lines += three_sides(conflict, style)
    return lines + _more(len(file.conflicts), "open place", style)


def _rungs(file: FileOutcome, subject: Subject, style: Style) -> list[str]:
    lines: list[str] = []
    told: list[Attempt] = []
    for trial in file.trials:
        known = isinstance(trial.attempt, Conflicted) and trial.attempt in told
        answer = "conflict, as above" if known else _answer(trial.attempt, file, subject)
        first = pad(trial.rung.value, _RUNG)
        lines += wrap(_shortened(answer), style.columns - _LABEL, first=first, rest=" " * _RUNG)
        told.append(trial.attempt)
    return _labelled("rungs", lines, style)


def _field(label: str, texts: Iterable[str], style: Style) -> list[str]:
    items = list(texts)
    lines = [line for text in items[:_SHOWN] for line in wrap(_shortened(text), style.columns - _LABEL, rest="  ")]
    return _labelled(label, lines, style) + _more(len(items), label, style)


def _labelled(label: str, lines: list[str], style: Style) -> list[str]:
    head = "  " + style.paint(label, Tint.FAINT) + " " * (_LABEL - 2 - len(label))
    return [(" " * _LABEL if index else head) + line for index, line in enumerate(lines)]


def _shortened(text: str) -> str:
    return cut(visible(text[:_CHARACTERS]), _CHARACTERS - 1)


def _more(number: int, what: str, style: Style) -> list[str]:
    if number <= _SHOWN:
        return []
    return [cut(f"{pad('', _LABEL)}... and {number - _SHOWN} more ({what}); --json has all", style.columns)]


def _answer(attempt: Attempt, file: FileOutcome, subject: Subject) -> str:
    match attempt:
        case Applied(evidence=evidence):
            return f"applied: {counted(len(evidence.edits), 'edit')}" if evidence.edits else "applied"
        case Declined(reason=reason):
            return f"declined: {reason}"
        case Conflicted(conflicts=conflicts):
            more = f"; and {counted(len(conflicts) - 1, 'more place')}" if len(conflicts) > 1 else ""
            return "".join(f"conflict: {conflict_line(it, file, subject)}" for it in conflicts[:1]) + more
        case _:
            assert_never(attempt)


def _edit(edit: Edit, file: FileOutcome) -> str:
    return f"{edit.fate.value}: {place(edit.anchor, file) or 'the file'}: {edit.how} (class {edit.review.value})"


def _places(file: FileOutcome, outcome: PatchOutcome) -> list[str]:
    """Say at which lines of the new file the hunks change something, and where that was before."""
    paths = {file.path, file.old_path}
    now = _changed_lines(outcome.after, paths) if outcome.after is not None else []
    was = _changed_lines(outcome.before, paths)
    if len(now) != len(was):
        return [f"line {new}" for new in now]
    pairs = zip(now, was, strict=True)
    return [f"line {new}" + (f" (was {old})" if new != old else "") for new, old in pairs]


def _changed_lines(patch: Patch, paths: set[bytes | None]) -> list[int]:
    bodies = [change.body for change in patch.changes if change.path in paths]
    starts = []
    for hunk in (hunk for body in bodies if isinstance(body, TextBody) for hunk in body.hunks):
        kinds = [line.kind for line in hunk.lines]
        leading = next((at for at, kind in enumerate(kinds) if kind is not LineKind.CONTEXT), len(kinds))
        starts.append(hunk.new_start + leading)
    return starts


def _next(outcome: PatchOutcome, subject: Subject) -> list[Item]:
    verdict = of_verdict(outcome.verdict, subject)
    if outcome.needs_review and outcome.review is not None:
        review = of_review(outcome.review, subject)
        return [Item("next", review.todo, review.command)]
    if not outcome.verdict.needs_person:
        return [Item("next", verdict.todo, verdict.command)]
    kinds = {
        conflict.kind: of_conflict(conflict.kind, subject) for file in outcome.files for conflict in file.conflicts
    }
    items = [Item(kind.value, f"{words.phrase}: {words.todo}") for kind, words in kinds.items()]
    if outcome.verdict is not Verdict.CONFLICT or not items:
        items = [Item(outcome.verdict.value, verdict.todo)]
    return [*items, *([Item("then", "run again:", verdict.command)] if verdict.command else [])]
