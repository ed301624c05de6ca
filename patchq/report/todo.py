"""What to do after a replay, as a person would be told: each open verdict once, then the commands in their order."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol, assert_never

from patchq.report.cells import wrap
from patchq.report.policy import left_behind, missing
from patchq.report.rows import Item, entries
from patchq.report.words import TOLD_ORDER, Subject, of_verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.names import PatchName
    from patchq.model.verdict import Verdict
    from patchq.report.style import Style


# The rows above may have scrolled away.
_NAMES_SHOWN = 6
NOTHING_PUBLISHED = "nothing was published; the series and the branch are as they were"


class Stage(Enum):
    """How far the command went, which decides what is left to do."""

    DRY_RUN = "dry-run"
    STOPPED = "stopped"  # an open patch, or a review that nobody accepted: nothing was published
    PUBLISHED = "published"


class Judged(Protocol):
    """What has to be known of a patch to say what is to be done: outcomes of a replay and recorded states have it."""

    @property
    def name(self) -> PatchName:
        """The patch."""
        ...

    @property
    def verdict(self) -> Verdict | None:
        """What became of it; None before its first carry."""
        ...

    @property
    def needs_review(self) -> bool:
        """Whether the answer rests on a place that a person should look at."""
        ...

    @property
    def held(self) -> bool:
        """Whether it waits for that look."""
        ...

    @property
    def open(self) -> bool:
        """Whether a person has to decide or to look before it is part of the branch."""
        ...

    @property
    def stops(self) -> bool:
        """Whether nothing is published for its sake; an optional patch that is open stays behind."""
        ...

    @property
    def missed(self) -> bool:
        """Whether it is required and not carried."""
        ...


def what_to_do(outcomes: Sequence[Judged], subject: Subject, stage: Stage, style: Style) -> list[str]:
    """Lay out the next steps; none when nothing is left to do. `subject` gives the ref and the series folder."""
    head = wrap(NOTHING_PUBLISHED, style.columns) if stage is Stage.STOPPED else []
    return [*head, *entries(next_steps(outcomes, subject, stage), style)]


def next_steps(outcomes: Sequence[Judged], subject: Subject, stage: Stage) -> list[Item]:
    """Say what is left to do, in order; nothing when nothing is."""
    is_open = any(_open(outcome) for outcome in outcomes)
    behind = left_behind(outcomes, published=stage is Stage.PUBLISHED)
    items = [_decide(verdict, outcomes, subject) for verdict in TOLD_ORDER if verdict.needs_person]
    found = [item for item in items if item is not None]
    match stage:
        case Stage.PUBLISHED:
            held = any(outcome.held and outcome.stops for outcome in outcomes)
            again = _again(subject, held=held, is_open=is_open)
            return [*behind, *found, *_resolve(outcomes, subject), *again]
        case Stage.STOPPED | Stage.DRY_RUN:
            # By then the series of the ref itself is the current one: from the old one the edits would be replaced.
            later = replace(subject, options=_without_start(subject.options))
            again = [Item("then", "run again:", later.rebase())] if is_open else []
            first = [*_resolve(outcomes, subject), *_publish(outcomes, subject)]
            return [*first, *behind, *found, *again]
        case _:
            assert_never(stage)


def _resolve(outcomes: Sequence[Judged], subject: Subject) -> list[Item]:
    """Offer the work tree in which a person decides, with the files and their three sides at hand."""
    if not any(_open(outcome) for outcome in outcomes):
        return []
    return [Item("resolve", "settle what is open in a work tree of its own, patch by patch:", subject.resolve())]


def _open(outcome: Judged) -> bool:
    return outcome.verdict is not None and outcome.verdict.needs_person and outcome.stops


def _again(subject: Subject, *, held: bool, is_open: bool) -> list[Item]:
    """Say how what was left out gets in: decided ones by another run, held ones by accepting what was looked at."""
    items = [Item("then", "run again:", subject.rebase())] if is_open else []
    if held:
        rest = ("--skip-conflicts",) if is_open else ()
        looked = "what needs review is not published; look at it, and if it is right:"
        items.append(Item("review", looked, subject.rebase("--accept", "review", *rest)))
    return items


def _decide(verdict: Verdict, outcomes: Sequence[Judged], subject: Subject) -> Item | None:
    names = [outcome.name for outcome in outcomes if outcome.verdict is verdict]
    if not names:
        return None
    if len(names) == 1:
        return Item(verdict.value, of_verdict(verdict, subject.of(names[0])).todo)
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    told = ", ".join(str(name) for name in names[:_NAMES_SHOWN])
    return Item(verdict.value, f"{told}{more}: {of_verdict(verdict, subject).todo}")


def _without_start(options: tuple[str, ...]) -> tuple[str, ...]:
    at = options.index("--from") if "--from" in options else len(options)
    return options[:at] + options[at + 2 :]


def _publish(outcomes: Sequence[Judged], subject: Subject) -> list[Item]:
    """Say how it is published; with open patches the others first, since an open one is edited beside them."""
    if not outcomes:
        return []
    carried = sum(outcome.verdict is not None and outcome.verdict.carried for outcome in outcomes)
    review = any(outcome.needs_review for outcome in outcomes)
    accept = ("--accept", "review") if review else ()
    looked = "look at what needs review; if it is right, " if review else ""
    lacking = missing(outcomes, subject)
    if lacking:
        return lacking
    if not any(map(_open, outcomes)):
        return [Item("next", f"{looked}publish:", subject.rebase(*accept))]
    others = "the other patch" if carried == 1 else f"the other {carried} patches" if carried else "without them"
    text = f"{looked}publish {others}; what is open is kept, and can be edited then:"
    return [Item("or", text, subject.rebase("--skip-conflicts", *accept))]
