"""One patch on a page: why it is there, what blocks it and what to type, what became of it, and its texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from patchq.model.series import Retirement, Seen
from patchq.model.verdict import Verdict
from patchq.report.cells import decoded, visible
from patchq.report.interdiff import same_change
from patchq.report.markup import element
from patchq.report.notes import brought_by
from patchq.report.page_code import Room, diff_block, interdiff_block
from patchq.report.page_ledger import commit_words
from patchq.report.page_matrix import verdict_mark
from patchq.report.page_words import code, command_line, moment, prose, shown, some
from patchq.report.sizes import size_of
from patchq.report.words import counted, of_review, of_verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.patch import Patch
    from patchq.model.series import LedgerEntry, Sighting
    from patchq.report.markup import Content, Element
    from patchq.report.matrix import Column
    from patchq.report.overview import Life, Overview, Version
    from patchq.report.state import State
    from patchq.report.words import Subject, Words

# A longer story is folded.
_MOST_ROWS = 4
_REFS_SHOWN = 6


def patch_article(life: Life, state: State | None, overview: Overview, subject: Subject, share: int) -> Element:
    """Lay out one patch; `state` is that at the current ref, `share` how many characters of code there is room for."""
    room = Room(share)
    patch = life.newest
    return element(
        "article",
        element(
            "div",
            element("h3", str(life.name), class_="name mono", id=f"patch-{life.name}"),
            _badge(life, state),
            class_="top",
        ),
        *(_why(patch) if patch is not None else ()),
        _todo(state, subject.of(life.name)) if state is not None else None,
        *_story(life, overview),
        *_texts(life, room),
        aria_labelledby=f"patch-{life.name}",
    )


def _badge(life: Life, state: State | None) -> Element:
    if state is not None:
        return element("span", verdict_mark(state.verdict), class_="badge")
    left = life.held.entry.reason if life.held is not None else None
    word = "not in the current series" if left is None else left.value
    return element("span", word, class_="badge soft")


def _why(patch: Patch) -> list[Element]:
    message = patch.message
    parts = [element("p", element("bdi", shown(decoded(message.subject))), class_="title")]
    parts += [element("p", prose(message.body), class_="reason")] if message.body.strip() else []
    facts: list[Element] = []
    if message.author is not None:
        made: list[Content] = [element("bdi", shown(decoded(message.author.name)))]
        made += [] if message.date is None else [", ", moment(message.date)]
        facts += _fact("author", *made)
    facts += _fact("changes", size_of(patch))
    for trailer in message.trailers:
        facts += _fact(visible(trailer.key), element("bdi", shown(trailer.value)))
    return [*parts, element("dl", *facts, class_="facts")]


def _fact(label: str, *told: Content) -> list[Element]:
    return [element("dt", label), element("dd", *told)]


def _todo(state: State, subject: Subject) -> Element | None:
    """Say what is in its way and what to type; None where nothing has to be done."""
    if state.verdict is None or not (state.needs_person or state.needs_review or state.held):
        return None
    words = of_verdict(state.verdict, subject)
    if not state.needs_person and state.review is not None:
        words = of_review(state.review, subject)
    places = [*state.places, *(state.notes if state.needs_person else ())]
    listed = some([element("li", shown(place)) for place in places], "li")
    return element(
        "div",
        element("p", element("strong", f"{words.phrase[0].upper()}{words.phrase[1:]}.")),
        element("ul", *listed) if listed else None,
        element("p", "To see why:", command_line(subject.explain)),
        *_advice(state, words),
        class_="todo" if state.needs_person else "todo review",
    )


def _advice(state: State, words: Words) -> list[Element]:
    """Say what to do; what is held is accepted together with all others, so its command is told once, at the top."""
    if not state.needs_person:
        return [element("p", "If it is right, accept it by the command under “Where it stands”.")] if state.held else []
    typed = command_line(words.command) if words.command else None
    return [element("p", f"What to do: {words.todo}", typed)]


def _story(life: Life, overview: Overview) -> list[Element]:
    """Tell of each ref what is known there; refs in a row that say the same share a row, and a long table is folded."""
    told = [(column.ref, said) for column in overview.columns if (said := _said(life, column)) is not None]
    runs = [(said, [ref for ref, _ in run]) for said, run in groupby(told, key=itemgetter(1))]
    if not runs:
        return [] if life.held is None else [_left(life.held.entry, overview)]
    heads = [element("th", text, scope="col") for text in ("ref", "verdict", "what is known")]
    table = element(
        "table",
        element("caption", f"{life.name} at each ref"),
        element("thead", element("tr", *heads)),
        element("tbody", *(_row(refs, said, life, overview) for said, refs in runs)),
    )
    if len(runs) <= _MOST_ROWS:
        return [table]
    return [element("details", element("summary", f"At {counted(len(told), 'ref')}"), table)]


def _row(refs: Sequence[str], said: _Said, life: Life, overview: Overview) -> Element:
    known = some([element("p", shown(text)) for text in said.notes], "p")
    files = some([element("li", code(path), f": {shown(why)}") for path, why in said.files], "li")
    known += [element("ul", *files)] if files else []
    landed = _landed(life, refs) if said.verdict is Verdict.ABSORBED else None
    known += [element("p", "absorbed", *commit_words(landed, overview))] if landed is not None else []
    how = element("span", f" {said.how}", class_="how") if said.how else None
    return element(
        "tr",
        element("th", ", ".join(map(visible, refs)), scope="row"),
        element("td", verdict_mark(said.verdict), how, class_="verdict"),
        element("td", *known),
    )


def _landed(life: Life, refs: Sequence[str]) -> Sighting | None:
    """Find where upstream was first seen to have it, if that is at one of `refs`: it may have come more than once."""
    seen = () if life.held is None else life.held.entry.sightings
    return next((one for one in reversed(seen) if one.seen is Seen.ABSORBED and one.at.ref in refs), None)


@dataclass(frozen=True, slots=True)
class _Said:
    """What one ref says of a patch, as far as a reader is told."""

    verdict: Verdict | None
    how: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


def _said(life: Life, column: Column) -> _Said | None:
    record = life.records.get(column.ref)
    if record is None or life.name not in column.names:
        verdict = column.verdict(life.name)
        return None if verdict is None and life.name not in column.names else _Said(verdict)
    files = [(it.path, it.evidence) for it in record.files if it.evidence]
    if len(files) == 1:
        files = []  # the evidence of the patch is that of its only file; of many files it is theirs together
    notes = [] if files else [record.evidence]
    notes += [*record.notes, *(f"partly in {brought_by(commit)}" for commit in record.landed_in)]
    how = record.rung.value if record.rung is not None else ""
    return _Said(record.verdict, how, tuple(filter(None, dict.fromkeys(notes))), tuple(files))


def _left(entry: LedgerEntry, overview: Overview) -> Element:
    why = f": {shown(entry.evidence)}" if entry.evidence and entry.reason is Retirement.DROPPED else ""
    return element(
        "p", f"Has been {entry.reason.value} at {visible(entry.seen_at.ref)}", *commit_words(entry, overview), why
    )


def _texts(life: Life, room: Room) -> list[Element]:
    """Show each text once, newest first, and between two of them how they differ."""
    out: list[Element] = []
    for index, version in enumerate(life.versions):
        label = f"Diff at {_refs(version.refs)}"
        out.append(
            _folded(f"{label}: {size_of(version.patch)}", diff_block(version.patch, f"{life.name}: {label}", room))
        )
        if index + 1 < len(life.versions):
            out.append(_since(life, version, life.versions[index + 1], room))
    if life.kept is not None:
        label = "Last text, kept in the ledger"
        out.append(_folded(f"{label}: {size_of(life.kept)}", diff_block(life.kept, f"{life.name}: {label}", room)))
    return out


def _since(life: Life, version: Version, older: Version, room: Room) -> Element:
    span = f"from {visible(older.refs[0])} to {visible(version.refs[-1])}"
    if not version.since:
        return element("p", f"{span}: {', '.join(version.notes)}", class_="soft")
    what = "the lines around it differ" if same_change(version.since) else "the change itself differs"
    told = ", ".join([what, *version.notes])
    key = element("p", "- + added or removed lines that differ, < > context that differs", class_="soft mono")
    return _folded(
        f"What is new {span}: {told}", [key, *interdiff_block(version.since, f"{life.name}: new {span}", room)]
    )


def _folded(summary: str, content: Sequence[Element]) -> Element:
    return element("details", element("summary", summary), *content)


def _refs(refs: Sequence[str]) -> str:
    named = ", ".join(map(visible, refs[:_REFS_SHOWN]))
    return named if len(refs) <= _REFS_SHOWN else f"{named} and {counted(len(refs) - _REFS_SHOWN, 'older ref')}"
