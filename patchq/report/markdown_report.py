"""The short form of a report, for a CI job or an issue: what a person has to do first, then everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.model.outcome import Answer
from patchq.model.series import Retirement, Seen
from patchq.model.verdict import Verdict
from patchq.report.ledger import brought_words
from patchq.report.markdown import COMMAND, SIGNATURE, bounded, prose, span, table
from patchq.report.table import tally
from patchq.report.todo import NOTHING_PUBLISHED, Stage, next_steps
from patchq.report.words import Subject, commit_digits, counted, of_review, of_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.names import PatchName
    from patchq.report.matrix import Column
    from patchq.report.overview import Overview
    from patchq.report.rows import Item
    from patchq.report.run_document import Run
    from patchq.report.state import State

_REFS_SHOWN = 8
_PLACES_SHOWN = 6
_EVENTS_SHOWN = 30
_NEW = "new"
_ABSENT = ""


def run_markdown(run: Run, *, program: str) -> str:
    """Tell of one run: what it found of each patch, what waits for a person, and what to type next."""
    ref, commit = run.onto
    subject = Subject(ref=ref, program=program, onto=run.stage is not Stage.PUBLISHED)
    where = f"{span(ref)} ({span(commit_digits(commit))})"
    came = "" if run.origin is None else f", from {span(run.origin[0])}"
    head = [f"{_counts(run.states)}{came}.", *_stage(run)]
    blocks = [
        [SIGNATURE, "", f"# {_patches(run.states)} onto {where}"],
        head,
        *_open(run.states, subject),
        _overdue(run.states),
        _steps(next_steps(run.states, subject, run.stage)),
        _asked(run.asked),
        _every(run.states),
    ]
    return bounded(blocks, "More is left out here; the JSON document has all of it.")


def overview_markdown(overview: Overview, program: str) -> str:
    """Tell what is recorded of a series: where it stands, what waits for a person, patches by refs, the ledger."""
    now = next((one for one in overview.columns if one.ref == overview.current), None)
    record = None if now is None else now.record
    at = f" ({span(commit_digits(record.base.commit))})" if record is not None else ", never carried yet"
    where = span(overview.current) if overview.current is not None else "no ref"
    blocks = [
        [SIGNATURE, "", f"# {_patches(overview.states)} on {where}{at}"],
        [f"{_counts(overview.states)}."],
        *_open(overview.states, overview.subject(program)),
        _steps(overview.steps(program)),
        _matrix(overview),
        _ledger(overview),
    ]
    return bounded(blocks, "More is left out here; `patchq report -o report.html` has all of it.")


def _patches(states: Sequence[State]) -> str:
    return "Patches" if states else "No patches"


def _counts(states: Sequence[State]) -> str:
    counts = tally(state.verdict for state in states if state.verdict is not None)
    fresh = sum(state.verdict is None for state in states)
    review = sum(state.needs_review for state in states)
    told = [*counts, *([f"{fresh} never carried"] if fresh else [])]
    total = counted(len(states), "patch", "patches") + (f": {', '.join(told)}" if told else "")
    return f"**{total}**" + (f"; {review} to review" if review else "")


def _stage(run: Run) -> list[str]:
    match run.stage:
        case Stage.DRY_RUN:
            return ["This is a dry run: nothing was changed."]
        case Stage.STOPPED:
            return [f"{NOTHING_PUBLISHED[0].upper()}{NOTHING_PUBLISHED[1:]}."]
        case Stage.PUBLISHED:
            branch = run.branch
            return [] if branch is None else [f"Branch {span(branch[0])} is at {span(commit_digits(branch[1]))}."]
        case _:
            assert_never(run.stage)


def _open(states: Sequence[State], subject: Subject) -> list[list[str]]:
    """List what needs a person, then what somebody should look at, each with its places and the command to see why."""
    waiting = [state for state in states if state.needs_person and state.stops]
    behind = [state for state in states if state.open and not state.stops]
    review = [state for state in states if (state.needs_review or state.held) and state not in (*waiting, *behind)]
    heads = (
        ("## A person is needed", waiting),
        ("## To be looked at", review),
        ("## Optional, and not carried", behind),
    )
    blocks = [] if waiting or review or not states else [["Nothing waits for a person."]]
    for head, found in heads:
        if found:
            blocks.append([head, "", *(line for state in found for line in _told(state, subject.of(state.name)))])
    return blocks


def _told(state: State, subject: Subject) -> list[str]:
    verdict = state.verdict
    if verdict is None:
        return []
    words = of_verdict(verdict, subject)
    if not state.needs_person and state.review is not None:
        words = of_review(state.review, subject)
    lines = [f"- {_mark(verdict)} {span(str(state.name))}: {words.phrase}"]
    places = [*state.places, *state.notes]
    lines += [f"  - {prose(place)}" for place in places[:_PLACES_SHOWN]]
    more = len(places) - _PLACES_SHOWN
    lines += [f"  - and {counted(more, 'more place')}"] if more > 0 else []
    return [*lines, f"  - look: {span(subject.explain, COMMAND)}"]


def _steps(steps: Sequence[Item]) -> list[str]:
    """Write what to do; a command of another machine's paths or refs is a code span as well."""
    if not steps:
        return []
    lines = []
    for step in steps:
        typed = f" {span(step.command, COMMAND)}" if step.command else ""
        lines.append(f"- **{step.label}**: {prose(step.text)}{typed}")
    return ["## What to do next", "", *lines]


def _overdue(states: Sequence[State]) -> list[str]:
    late = [f"- {span(str(state.name))} since {span(state.expired)}" for state in states if state.expired]
    return ["## Overdue: still needed?", "", *late] if late else []


def _asked(asked: Iterable[tuple[str, Answer]]) -> list[str]:
    answers = list(asked)
    lines = []
    for answer, words in _ANSWERS.items():
        found = [name for name, given in answers if given is answer]
        if found:
            lines.append(f"- {words}: {', '.join(map(span, found))}")
    return ["## The ledger, asked again", "", *lines] if lines else []


_ANSWERS = {
    Answer.RETURNED: "upstream has it no longer, and it is back in the series",
    Answer.CHANGED: "upstream has gone on from what it had taken over",
    Answer.UNKNOWN: "could not be asked",
    Answer.ABSORBED: "upstream still has it",
}


def _every(states: Sequence[State]) -> list[str]:
    """List every patch in one table, those that are open first, in case the room ends."""
    order = sorted(states, key=lambda state: not state.open)
    rows = [[span(str(state.name)), _mark(state.verdict), _how(state)] for state in order]
    return ["## Every patch", "", *table(("patch", "verdict", "how"), rows)] if rows else []


def _how(state: State) -> str:
    """Say by which rung it is carried, or which commit has it."""
    if state.verdict is not Verdict.ABSORBED:
        return state.how
    return span(state.brought[0], 120) if state.brought else ""


def _mark(verdict: Verdict | None) -> str:
    """Write the sigil as code, since `*` and `-` are markup, and the word."""
    return _NEW if verdict is None else f"`{verdict.sigil}` {verdict.value}"


def _matrix(overview: Overview) -> list[str]:
    columns = overview.columns[:_REFS_SHOWN]
    names = [life.name for life in overview.lives if any(_known(column, life.name) for column in columns)]
    if not names:
        return []
    rows = [[span(str(name)), *(_cell(column, name) for column in columns)] for name in names]
    more = len(overview.columns) - len(columns)
    left = ["", f"{counted(more, 'older ref')} not shown."] if more > 0 else []
    return ["## Patches by refs", "", *table(("patch", *(span(column.ref) for column in columns)), rows), *left]


def _known(column: Column, name: PatchName) -> bool:
    return name in column.names or column.verdict(name) is not None


def _cell(column: Column, name: PatchName) -> str:
    return _mark(column.verdict(name)) if _known(column, name) else _ABSENT


def _ledger(overview: Overview) -> list[str]:
    events = []
    for held in overview.ledger:
        entry = held.entry
        if entry.reason is Retirement.DROPPED:
            why = f": {prose(entry.evidence)}" if entry.evidence else ""
            events.append(f"- {span(str(entry.name))} dropped at {span(entry.seen_at.ref)}{why}")
            continue
        for seen in entry.sightings:
            by = f" by {span(named)}" if (named := brought_words(seen)) else ""
            half = f", the half of {span(str(entry.part_of))}," if entry.part_of is not None else ""
            events.append(f"- {span(str(entry.name))}{half} {_SEEN[seen.seen]} {span(seen.at.ref)}{by}")
    more = len(events) - _EVENTS_SHOWN
    left = [f"- {counted(more, 'earlier event')} not shown"] if more > 0 else []
    return ["## The ledger", "", *left, *events[-_EVENTS_SHOWN:]] if events else []


_SEEN = {Seen.ABSORBED: "absorbed at", Seen.RETURNED: "back at"}
