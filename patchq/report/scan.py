"""Places that may lack what the patches add: a line or two each, the new ones first; or as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.scan import Age, Likeness
from patchq.report.cells import visible, wrap
from patchq.report.jsonsafe import document, text
from patchq.report.style import Tint
from patchq.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.names import PatchName
    from patchq.model.scan import Lacking
    from patchq.report.jsonsafe import JsonObject
    from patchq.report.style import Style

_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """What was found in a tree.

    `fine` counts places that a person has called so, `since` is what is compared with, `unread` teach nothing.
    """

    tree: str
    ref: str
    places: Sequence[Lacking]
    fine: int
    since: str | None
    unread: Sequence[PatchName]
    files: int

    @property
    def fresh(self) -> tuple[Lacking, ...]:
        """The places that the tree from before does not have, or all where there is none."""
        return tuple(one for one in self.places if one.age is not Age.OLD)


def scan_text(scanned: Scanned, style: Style) -> str:
    """Lay it out for people; the summary is the last line."""
    lines: list[str] = []
    for place in scanned.places[:_SHOWN]:
        lines += _told(place, style)
    if len(scanned.places) > _SHOWN:
        lines.append(f"… and {len(scanned.places) - _SHOWN} more: patchq scan --json has all")
    close = sum(place.likeness is Likeness.CLOSE for place in scanned.places)
    parts = [f"{counted(len(scanned.places), 'place', 'places')}, {close} close"]
    if scanned.since is not None:
        parts.append(f"{len(scanned.fresh)} new since {visible(scanned.since)}")
    if scanned.fine:
        parts.append(f"{scanned.fine} called fine")
    where = f"series of {visible(scanned.ref)}, {counted(scanned.files, 'file', 'files')} of {visible(scanned.tree)}"
    return "\n".join([*lines, *([""] if lines else []), f"{', '.join(parts)}; {where}"])


def scan_document(scanned: Scanned) -> JsonObject:
    """Give the same as a document, all places included."""
    fields: JsonObject = {
        "tree": scanned.tree,
        "ref": scanned.ref,
        "since": scanned.since,
        "places": [
            {
                "path": text(one.path),
                "line": one.line,
                "address": one.address,
                "has": one.text,
                "lacks": one.missing,
                "patches": list(map(str, one.patches)),
                "likeness": one.likeness.value,
                "age": one.age.value,
            }
            for one in scanned.places
        ],
        "not_learned_from": list(map(str, scanned.unread)),
        "summary": {
            "files": scanned.files,
            "places": len(scanned.places),
            "new": len(scanned.fresh) if scanned.since is not None else None,
            "called_fine": scanned.fine,
        },
    }
    return document("scan", fields)


def _told(place: Lacking, style: Style) -> Iterator[str]:
    new = f"  {style.paint('new', Tint.YELLOW)}" if place.age is Age.NEW else ""
    yield f"{visible(text(place.path))}:{place.line}  {place.likeness.value}{new}"
    names = ", ".join(map(str, place.patches))
    said = f"has {visible(place.text)}, lacks {visible(place.missing)} ({names})"
    yield from wrap(said, style.columns, first="    ", rest="      ")
    _, _, steps = place.address.partition("::")
    if steps:
        yield from wrap(f"in {visible(steps)}", style.columns, first="    ", rest="      ")
