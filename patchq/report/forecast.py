"""A forecast as a table and as JSON: for each patch the commits of upstream that change its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verdict import Verdict
from patchq.report.cells import cells, cut_middle
from patchq.report.document import ref_point, upstream_commit
from patchq.report.jsonsafe import JsonObject, document
from patchq.report.notes import brought_by
from patchq.report.rows import Row, laid_out, room
from patchq.report.style import Tint, verdict_tint
from patchq.report.table import joined, point, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.judgement import UpstreamCommit
    from patchq.model.outcome import PatchOutcome
    from patchq.model.series import RefPoint
    from patchq.report.jsonsafe import Json
    from patchq.report.style import Style

_SHOWN = 6  # of the commits that change one patch's verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A commit of upstream after which a patch has another verdict."""

    commit: UpstreamCommit
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Foretold:
    """A patch at the end of the way, and what happened to it there, oldest first; `note` is a sentence for people."""

    outcome: PatchOutcome
    events: tuple[Event, ...]
    note: str = ""

    @property
    def unsettled(self) -> Event | None:
        """The first event that leaves the patch anything but clean."""
        return next((event for event in self.events if event.after is not Verdict.CLEAN), None)

    @property
    def breaks(self) -> Event | None:
        """The first event after which a person has to decide."""
        return next((event for event in self.events if event.after.needs_person), None)

    @property
    def absorbs(self) -> UpstreamCommit | None:
        """The commit to which upstream owes all of it at the end; of an absorption taken back, the last one."""
        events = [event for event in self.events if event.after is Verdict.ABSORBED]
        return self.outcome.absorbed_by or (events[-1].commit if events else None)


def forecast_table(foretold: Sequence[Foretold], *, from_: RefPoint, onto: RefPoint, style: Style) -> str:
    """Lay out each patch with its verdict at `onto` and the commits that lead there; no line end at the end."""
    rows = [
        Row(
            sigil=one.outcome.verdict.sigil,
            name=str(one.outcome.name),
            word=one.outcome.verdict.value,
            detail="",
            tint=verdict_tint(one.outcome.verdict),
            notes=tuple(_lines(one, style)),
        )
        for one in foretold
    ]
    head = style.paint(cut_middle(f"from {point(from_)} to {point(onto)}", style.columns), Tint.BOLD)
    return joined([head, *laid_out(rows, style)], summary([one.outcome for one in foretold], style))


def forecast_document(foretold: Sequence[Foretold], *, from_: RefPoint, onto: RefPoint, complete: bool) -> JsonObject:
    """Give the same; `complete` is false where a shallow clone has cut history off."""
    return document(
        "forecast",
        {
            "from": ref_point(from_),
            "onto": ref_point(onto),
            "complete": complete,
            "patches": [
                {
                    "name": str(one.outcome.name),
                    "title": one.outcome.before.message.title,
                    "verdict": one.outcome.verdict.value,
                    "not_clean": _event(one.unsettled),
                    "breaks": _event(one.breaks),
                    "absorbed_by": None if one.absorbs is None else upstream_commit(one.absorbs),
                    "changes": [_event(event) for event in one.events],
                    "note": one.note,
                }
                for one in foretold
            ],
        },
    )


def _event(event: Event | None) -> Json:
    if event is None:
        return None
    return {**upstream_commit(event.commit), "from": event.before.value, "to": event.after.value}


def _lines(one: Foretold, style: Style) -> list[str]:
    """Name each commit with the verdict that it leads to; where they are many, the first ones and the last."""
    shown = one.events if len(one.events) <= _SHOWN else (*one.events[: _SHOWN - 1], one.events[-1])
    lines = [_line(event, style) for event in shown]
    if len(shown) < len(one.events):
        lines.insert(-1, f"... and {len(one.events) - len(shown)} more")
    return [*lines, *([one.note] if one.note else [])]


def _line(event: Event, style: Style) -> str:
    label = f"{event.after.value} by " if event.after is Verdict.ABSORBED else f"{event.after.value} since "
    return label + brought_by(event.commit, room(style) - cells(label))
