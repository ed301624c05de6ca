"""The ledger for a person and as JSON: each patch that has left the series, and how upstream got it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from patchq.model.series import Retirement, Seen
from patchq.model.verdict import AbsorbedHow
from patchq.report.cells import cut_middle, visible, wrap
from patchq.report.document import ref_point
from patchq.report.jsonsafe import Json, JsonObject, document, text
from patchq.report.notes import named_commit
from patchq.report.rows import INDENT
from patchq.report.style import Tint
from patchq.report.table import joined
from patchq.report.words import counted, of_absorption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.series import LedgerEntry, Sighting
    from patchq.report.style import Style


@dataclass(frozen=True, slots=True)
class Held:
    """An entry of the ledger, the refs whose upstream has it as far as recorded, and those whose series has it."""

    entry: LedgerEntry
    absorbed_at: tuple[str, ...]
    in_series_of: tuple[str, ...]


def ledger_table(held: Sequence[Held], style: Style) -> str:
    """Lay out the entries, oldest first; no line end at the end."""
    lines = [line for one in held for line in _entry(one, style)]
    dropped = sum(one.entry.reason is Retirement.DROPPED for one in held)
    tail = f", {dropped} of them dropped" if dropped else ""
    total = f"{counted(len(held), 'patch', 'patches')} in the ledger{tail}" if held else "the ledger is empty"
    return joined(lines, wrap(total, style.columns, rest="  "))


def ledger_document(held: Sequence[Held]) -> JsonObject:
    """Give the entries with all that is kept but the texts."""
    return document("absorbed", {"patches": [held_fields(one) for one in held]})


def beside_document(held: Held, ours: bytes, upstream: bytes, said: str) -> JsonObject:
    """Give one entry with our change and upstream's; `said` is what the latter is."""
    fields: JsonObject = {**held_fields(held), "ours": text(ours), "upstream": text(upstream), "upstream_is": said}
    return document("absorbed", {"patches": [fields]})


def label(what: str, style: Style) -> str:
    """Write the line above one of two diffs."""
    return "\n".join(style.paint(line, Tint.BOLD) for line in wrap(f"== {what}", style.columns, rest="   "))


def _entry(held: Held, style: Style) -> list[str]:
    entry = held.entry
    sigil = "-" if entry.reason is Retirement.ABSORBED else " "
    at = f"  {visible(entry.seen_at.ref)}"
    head = f"{sigil} {cut_middle(str(entry.name), style.columns - 2 - len(at))}"
    told = [entry.title, *_how(entry), *_story(entry)]
    where = [f"upstream has it at {', '.join(held.absorbed_at)}"] if held.absorbed_at else []
    where += [f"in the series of {', '.join(held.in_series_of)}"] if held.in_series_of else []
    told.append("; ".join(where))
    below = [line for part in told if part for line in wrap(visible(part), style.columns, first=INDENT, rest="      ")]
    return [style.paint(head, Tint.BOLD) + at, *below]


def _how(entry: LedgerEntry) -> list[str]:
    match entry.reason:
        case Retirement.DROPPED:
            return [f"dropped: {entry.evidence}" if entry.evidence else "dropped"]
        case Retirement.ABSORBED:
            known = next((how for how in AbsorbedHow if how.value == entry.how), None)
            by = brought_words(entry) if not entry.history else ""  # which is told in its story
            half = [f"the half of {entry.part_of} that upstream has"] if entry.part_of is not None else []
            return [*half, of_absorption(known), *([f"absorbed by {by}"] if by else [])]
        case _:
            assert_never(entry.reason)


def _story(entry: LedgerEntry) -> list[str]:
    return ["; ".join(map(_turn, entry.history))] if entry.history else []


def _turn(sighting: Sighting) -> str:
    by = f" by {named}" if (named := brought_words(sighting)) else ""
    match sighting.seen:
        case Seen.ABSORBED:
            return f"absorbed at {sighting.at.ref}{by}"
        case Seen.RETURNED:
            return f"back at {sighting.at.ref}{by}"
        case _:
            assert_never(sighting.seen)


def brought_words(brought: LedgerEntry | Sighting) -> str:
    """Name the commit as the tables of a replay do; empty where none is known."""
    if brought.commit is None:
        return ""
    return named_commit(brought.commit, brought.subject or "", brought.pull_request)


def held_fields(held: Held) -> JsonObject:
    """Give all that is kept of an entry but its text."""
    entry = held.entry
    return {
        "name": str(entry.name),
        "title": entry.title,
        "part_of": str(entry.part_of) if entry.part_of is not None else None,
        "reason": entry.reason.value,
        "seen_at": ref_point(entry.seen_at),
        "how": entry.how or None,
        "evidence": entry.evidence,
        **_commit(entry),
        "after": str(entry.after) if entry.after is not None else None,
        "made_for": ref_point(entry.made_for),
        "found_in": [*entry.found_in],
        "history": [_sighting(one) for one in entry.sightings],
        "absorbed_at": [*held.absorbed_at],
        "in_series_of": [*held.in_series_of],
    }


def _sighting(sighting: Sighting) -> Json:
    return {"seen": sighting.seen.value, "at": ref_point(sighting.at), **_commit(sighting)}


def _commit(brought: LedgerEntry | Sighting) -> JsonObject:
    return {"commit": brought.commit, "subject": brought.subject, "pull_request": brought.pull_request}
