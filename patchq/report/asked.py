"""What a replay says of the ledger: what upstream still has or has gone on from, and what could not be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.outcome import Answer
from patchq.report.cells import visible
from patchq.report.rows import Item, entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.outcome import Asked, PatchOutcome
    from patchq.report.jsonsafe import Json
    from patchq.report.style import Style

_NAMES_SHOWN = 4
_CHARACTERS = 400  # of a reason, which may quote a patch


def asked_lines(asked: Sequence[Asked], style: Style) -> list[str]:
    """Name what a person may want to look at; nothing of what upstream still has as it was."""
    changed = [one.name for one in asked if one.answer is Answer.CHANGED]
    items = []
    if changed:
        more = f" and {len(changed) - _NAMES_SHOWN} more" if len(changed) > _NAMES_SHOWN else ""
        told = ", ".join(map(str, changed[:_NAMES_SHOWN]))
        text = f"upstream has gone on from what it had taken over: {told}{more}"
        items.append(Item("ledger", text, f"{style.program} absorbed"))
    unknown = [one for one in asked if one.answer is Answer.UNKNOWN]
    items += [Item("ledger", f"{it.name} was not asked again: {visible(it.reason[:_CHARACTERS])}") for it in unknown]
    return entries(items, style)


def still_absorbed(outcomes: Sequence[PatchOutcome], asked: Sequence[Asked]) -> str:
    """Count the patches of the ledger that are told nowhere else, for the end of a summary; empty without any."""
    told = {outcome.name for outcome in outcomes}
    count = sum(one.answer is Answer.ABSORBED and one.name not in told for one in asked)
    return f"; {count} more still absorbed, in the ledger" if count else ""


def asked_entries(asked: Sequence[Asked]) -> list[Json]:
    """Give what was asked for a document."""
    return [{"name": str(one.name), "answer": one.answer.value, "reason": one.reason or None} for one in asked]
