"""A replay as a table: one line per patch, what to know below it, what to do next, and a summary line last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from patchq.model.verdict import Verdict
from patchq.report.asked import asked_lines, still_absorbed
from patchq.report.cells import cut_middle, visible, wrap
from patchq.report.notes import patch_notes
from patchq.report.rows import Row, laid_out
from patchq.report.style import Tint, verdict_tint
from patchq.report.todo import Stage, what_to_do
from patchq.report.words import TOLD_ORDER, Subject, commit_digits, counted, of_absorption, of_conflict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.outcome import Asked, PatchOutcome
    from patchq.model.series import RefPoint
    from patchq.report.style import Style


def replay_table(
    outcomes: Sequence[PatchOutcome],
    *,
    onto: RefPoint,
    style: Style,
    stage: Stage = Stage.DRY_RUN,
    folder: str | None = None,
    options: Sequence[str] = (),
    asked: Sequence[Asked] = (),
) -> str:
    """Lay out what became of each patch, in series order; no line end at the end.

    For the advice, `folder` is the folder of `onto` as the user would type it, and `options` are those of `rebase` that
    have to be given again. `asked` are the patches of the ledger.
    """
    subject = Subject(ref=onto.ref, folder=folder or "series/REF", program=style.program)
    subject = replace(subject, onto=stage is not Stage.PUBLISHED, options=tuple(options))
    rows = [
        Row(
            sigil=outcome.verdict.sigil,
            name=str(outcome.name),
            word=outcome.verdict.value,
            detail=_detail(outcome, subject),
            tint=Tint.YELLOW if outcome.needs_review else verdict_tint(outcome.verdict),
            notes=tuple(patch_notes(outcome, subject.of(outcome.name), style)),
        )
        for outcome in outcomes
    ]
    head = style.paint(cut_middle(f"onto {point(onto)}", style.columns), Tint.BOLD)
    return joined(
        [head, *laid_out(rows, style)],
        asked_lines(asked, style),
        what_to_do(outcomes, subject, stage, style),
        summary(outcomes, style, asked),
    )


def joined(*parts: Sequence[str]) -> str:
    """Join groups of lines, with an empty line between groups that have any."""
    return "\n\n".join("\n".join(part) for part in parts if part)


def point(ref: RefPoint) -> str:
    """Write an upstream state as `v0.5.23 (3f2a9c1e0b)`."""
    return f"{visible(ref.ref)} ({commit_digits(ref.commit)})"


def summary(outcomes: Sequence[PatchOutcome], style: Style, asked: Sequence[Asked] = ()) -> list[str]:
    """Count the verdicts: `4 patches: 1 clean, 1 adapted, 2 orphaned`; wrapped only if the terminal is too narrow."""
    counts = ", ".join(tally(outcome.verdict for outcome in outcomes))
    review = sum(outcome.needs_review for outcome in outcomes)
    text = counted(len(outcomes), "patch", "patches") + (f": {counts}" if counts else "")
    tail = f"; {review} to review" if review else ""
    return wrap(text + tail + still_absorbed(outcomes, asked), style.columns, rest="  ")


def tally(verdicts: Iterable[Verdict]) -> list[str]:
    """Count the verdicts that occur, in the order of the verdict table."""
    seen = list(verdicts)
    plurals = {Verdict.CONFLICT: "conflicts"}
    counts = ((it, seen.count(it)) for it in TOLD_ORDER)
    return [counted(number, it.value, plurals.get(it, it.value)) for it, number in counts if number]


def _detail(outcome: PatchOutcome, subject: Subject) -> str:
    match outcome.verdict:
        case Verdict.CLEAN | Verdict.MOVED | Verdict.ADAPTED | Verdict.PARTIAL:
            rung = outcome.rung.value if outcome.rung is not None else ""
            return f"{rung}, needs review".removeprefix(", ") if outcome.needs_review else rung
        case Verdict.ABSORBED:
            return of_absorption(outcome.absorbed_how, outcome.review)
        case Verdict.GUARDED:
            return "; ".join(dict.fromkeys(file.evidence for file in outcome.files))
        case Verdict.BLOCKED:
            return f"waits for {', '.join(map(str, outcome.blocked_by)) or 'an earlier patch'}"
        case Verdict.SUPERSEDED | Verdict.ORPHANED | Verdict.CONFLICT:
            kinds = {conflict.kind: None for file in outcome.files for conflict in file.conflicts}
            phrases = [of_conflict(kind, subject).phrase for kind in kinds]
            more = f", and {len(phrases) - 1} more" if len(phrases) > 1 else ""
            return "".join(phrases[:1]) + more
        case _:
            assert_never(outcome.verdict)
