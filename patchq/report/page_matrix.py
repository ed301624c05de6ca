"""The matrix of a page: patches by refs, each cell a mark, a colour and a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.report.cells import visible
from patchq.report.markup import element
from patchq.report.page_words import patch_link, shown
from patchq.report.stylesheet import tone
from patchq.report.words import TOLD_ORDER, commit_digits, counted

if TYPE_CHECKING:
    from patchq.model.names import PatchName
    from patchq.model.verdict import Verdict
    from patchq.report.markup import Content, Element
    from patchq.report.matrix import Column
    from patchq.report.overview import Overview

_NEW = "new"
# So many columns of words fit a screen; of more refs the marks are shown, and the words are read out.
_MOST_WORDS = 6


def matrix(overview: Overview) -> Element:
    """Lay out what each ref says of each patch, newest ref first."""
    columns = overview.columns
    if not columns:
        return _section(element("p", "There is no ref yet."))
    wide = len(columns) > _MOST_WORDS
    names = [life.name for life in overview.lives if any(_known(column, life.name) for column in columns)]
    heads = [element("th", "patch", scope="col"), *(_head(column, overview) for column in columns)]
    rows = [
        element(
            "tr",
            element("th", patch_link(name), scope="row"),
            *(_cell(column, name, overview, words_hidden=wide) for column in columns),
        )
        for name in names
    ]
    told = f"What became of each patch at each ref, newest ref first: {counted(len(names), 'patch', 'patches')}, "
    table = element(
        "table",
        element("caption", told + counted(len(columns), "ref"), id="matrix-caption"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        class_="matrix wide" if wide else "matrix",
    )
    scroll = element("div", table, class_="scroll", role="region", aria_labelledby="matrix-caption", tabindex="0")
    return _section(scroll, _legend(overview) if wide else None)


def verdict_mark(verdict: Verdict | None, *, word_hidden: bool = False) -> Element:
    """Show a verdict as its sigil and its word, in its colour."""
    sigil, word = (_NEW[0], _NEW) if verdict is None else (verdict.sigil, verdict.value)
    return element(
        "span",
        element("span", sigil, class_="sigil", aria_hidden="true"),
        element("span", f" {word}", class_="hidden" if word_hidden else None),
        class_=tone(verdict),
        title=word if word_hidden else None,
    )


def _section(*content: Content) -> Element:
    return element("section", element("h2", "Patches by refs", id="matrix"), *content, aria_labelledby="matrix")


def _known(column: Column, name: PatchName) -> bool:
    return name in column.names or column.verdict(name) is not None


def _head(column: Column, overview: Overview) -> Element:
    base = None if column.record is None else column.record.base
    now = column.ref == overview.current
    return element(
        "th",
        element("span", shown(column.ref), element("span", " (current)", class_="soft") if now else None),
        scope="col",
        title=None if base is None else f"{visible(base.ref)} {commit_digits(base.commit)}",
    )


def _cell(column: Column, name: PatchName, overview: Overview, *, words_hidden: bool) -> Element:
    now = "now" if column.ref == overview.current else None
    if not _known(column, name):
        return element("td", element("span", "not there", class_="hidden"), class_=now)
    return element("td", verdict_mark(column.verdict(name), word_hidden=words_hidden), class_=now)


def _legend(overview: Overview) -> Element:
    seen = {
        column.verdict(life.name) for column in overview.columns for life in overview.lives if _known(column, life.name)
    }
    order = (*TOLD_ORDER, None)
    marks = [element("li", verdict_mark(verdict)) for verdict in order if verdict in seen]
    return element("ul", *marks, class_="counts", aria_label="The marks")
