"""A whole series as one HTML page that needs nothing else: no network, no script, no font."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.report.cells import visible
from patchq.report.markup import element, extend, write
from patchq.report.page_ledger import at_words, timeline
from patchq.report.page_matrix import matrix, verdict_mark
from patchq.report.page_patch import patch_article
from patchq.report.page_words import code, command_line, shown
from patchq.report.stylesheet import stylesheet
from patchq.report.words import TOLD_ORDER, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.report.markup import Content, Element
    from patchq.report.overview import Overview
    from patchq.report.rows import Item
    from patchq.report.words import Subject

# What begins a page, so that a later one may take its place.
SIGNATURE = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="patchq report">'
)
# With 200 patches that say something else at each of 20 refs the page has 8.5 MB; each patch gets its share.
_CODE = 5_000_000
_LEAST_CODE, _MOST_CODE = 15_000, 1_000_000


def page(overview: Overview, program: str) -> str:
    """Write the page. The same series gives the same bytes: nothing in it is of the moment or the machine."""
    body = element(
        "body",
        element("a", "Skip to the report", class_="skip", href="#report"),
        _header(overview),
        element(
            "main",
            _now(overview, overview.steps(program)),
            matrix(overview),
            timeline(overview),
            _patches(overview, overview.subject(program)),
            id="report",
            tabindex="-1",
        ),
        element("footer", element("p", "Made by ", code("patchq report"), ". What is folded is not printed.")),
    )
    return write(extend(element("html", lang="en"), "\n", _head(overview), body))


def _head(overview: Overview) -> Element:
    return extend(
        element("head"),
        "\n",
        element("meta", charset="utf-8"),
        element("meta", name="generator", content="patchq report"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        # Whatever a patch says, this page loads nothing and runs nothing.
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        ),
        element("title", _title(overview)),
        element("style", stylesheet()),
    )


def _title(overview: Overview) -> str:
    if overview.current is None:
        return "A series without patches"
    return f"{counted(len(overview.states), 'patch', 'patches')} on {visible(overview.current)}"


def _header(overview: Overview) -> Element:
    now = next((one for one in overview.columns if one.ref == overview.current), None)
    record = now.record if now is not None else None
    stands: list[Content] = ["never carried yet"] if record is None else at_words(record.base, overview)
    built = "" if record is None or record.branch is None else f"; built as {visible(record.branch)}"
    upstream = "" if overview.upstream is None else f"; upstream is {shown(overview.upstream)}"
    links = (
        ("now", "Where it stands"),
        ("matrix", "Patches by refs"),
        ("ledger", "Ledger"),
        ("patches", "The patches"),
    )
    return element(
        "header",
        element("h1", _title(overview)),
        element("p", *stands, built + upstream, class_="soft"),
        element(
            "nav",
            element("ul", *(element("li", element("a", text, href=f"#{name}")) for name, text in links)),
            aria_label="On this page",
        ),
    )


def _now(overview: Overview, steps: Sequence[Item]) -> Element:
    verdicts = [state.verdict for state in overview.states]
    counts = [
        element("li", verdict_mark(verdict), f": {verdicts.count(verdict)}")
        for verdict in (*TOLD_ORDER, None)
        if verdict in verdicts
    ]
    left = [part for step in steps for part in _step(step)]
    return element(
        "section",
        element("h2", "Where it stands", id="now"),
        element("ul", *counts, class_="counts") if counts else element("p", "There are no patches here."),
        element("p", _people(overview)),
        element("dl", *left, class_="facts") if left else None,
        aria_labelledby="now",
    )


def _people(overview: Overview) -> str:
    """Say first whether anybody has to do anything."""
    waiting = sum(state.needs_person and state.stops for state in overview.states)
    review = sum(state.needs_review for state in overview.states)
    if not waiting and not review:
        return "Nothing waits for a person."
    told = [counted(waiting, "patch is", "patches are") + " not carried"] if waiting else []
    told += (
        [f"{counted(review, 'patch rests', 'patches rest')} on a place that somebody should look at"] if review else []
    )
    return "; ".join(told) + "."


def _step(step: Item) -> list[Element]:
    typed = command_line(step.command) if step.command else None
    return [element("dt", step.label), element("dd", visible(step.text), typed)]


def _patches(overview: Overview, subject: Subject) -> Element:
    share = min(max(_CODE // max(len(overview.lives), 1), _LEAST_CODE), _MOST_CODE)
    states = {state.name: state for state in overview.states}
    return element(
        "section",
        element("h2", "The patches", id="patches"),
        *(patch_article(life, states.get(life.name), overview, subject, share) for life in overview.lives),
        None if overview.lives else element("p", "There are none."),
        aria_labelledby="patches",
    )
