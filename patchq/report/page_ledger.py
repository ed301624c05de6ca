"""The timeline of a page: at which state of upstream a patch left the series or came back, and by which commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from patchq.model.series import Retirement, Seen
from patchq.report.cells import visible
from patchq.report.markup import element
from patchq.report.page_words import moment, patch_link, shown
from patchq.report.table import point
from patchq.report.words import commit_digits, counted

if TYPE_CHECKING:
    from patchq.model.series import LedgerEntry, RefPoint, Sighting
    from patchq.report.markup import Content, Element
    from patchq.report.overview import Overview


def timeline(overview: Overview) -> Element:
    """Lay out the ledger by the states of upstream, oldest first; one that has no folder any more comes last."""
    found: dict[tuple[str, str], list[Element]] = {}
    points: dict[tuple[str, str], RefPoint] = {}
    for held in overview.ledger:
        for sighting in held.entry.sightings:
            key = (sighting.at.ref, sighting.at.commit)
            points.setdefault(key, sighting.at)
            found.setdefault(key, []).append(_event(held.entry, sighting, overview))
    ages = {column.ref: -index for index, column in enumerate(overview.columns)}
    order = sorted(found, key=lambda key: ages.get(key[0], 1))
    states = [
        element("li", element("h3", *at_words(points[key], overview)), element("ul", *found[key])) for key in order
    ]
    told = (
        f"{counted(len(overview.ledger), 'patch has', 'patches have')} left the series at some time." if states else ""
    )
    return element(
        "section",
        element("h2", "Ledger: what has left the series", id="ledger"),
        element("p", told or "No patch has left the series."),
        element("ol", *states, class_="timeline") if states else None,
        aria_labelledby="ledger",
    )


def commit_words(brought: LedgerEntry | Sighting, overview: Overview) -> list[Content]:
    """Name the commit that brought it, its pull request and its day, as far as they are known."""
    if brought.commit is None:
        return []
    number = "" if brought.pull_request is None else f" (#{brought.pull_request})"
    subject = shown((brought.subject or "").removesuffix(number))
    date = overview.dates.get(brought.commit)
    when: list[Content] = [] if date is None else [", ", moment(date)]
    return [
        " by ",
        element("code", commit_digits(brought.commit), title=visible(brought.commit)),
        " “",
        element("bdi", subject),
        f"”{number}",
        *when,
    ]


def at_words(at: RefPoint, overview: Overview) -> list[Content]:
    """Name a state of upstream, with its day where that is known."""
    date = overview.dates.get(at.commit)
    return [point(at)] if date is None else [point(at), ", ", moment(date)]


def _event(entry: LedgerEntry, sighting: Sighting, overview: Overview) -> Element:
    by = commit_words(sighting, overview)
    match entry.reason:
        case Retirement.DROPPED:
            why = f": {shown(entry.evidence)}" if entry.evidence else ""
            return element("li", patch_link(entry.name), f" dropped{why}")
        case Retirement.ABSORBED:
            half = f", the half of {entry.part_of} that upstream has," if entry.part_of is not None else ""
            return element("li", patch_link(entry.name), f"{half} {_turn(sighting)}", *by)
        case _:
            assert_never(entry.reason)


def _turn(sighting: Sighting) -> str:
    match sighting.seen:
        case Seen.ABSORBED:
            return "absorbed"
        case Seen.RETURNED:
            return "back in the series: upstream no longer has it" if sighting.commit else "back in the series"
        case _:
            assert_never(sighting.seen)
