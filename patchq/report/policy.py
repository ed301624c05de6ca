"""Policies for people and for scripts: a line below the patch, what is overdue, what is left out, and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError
from patchq.model.policy import Need, Policy
from patchq.report.cells import visible
from patchq.report.rows import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from patchq.model.names import PatchName
    from patchq.report.jsonsafe import Json, JsonObject
    from patchq.report.todo import Judged
    from patchq.report.words import Subject

_NAMES_SHOWN = 6


def policy_notes(policy: Policy | PatchFormatError | None) -> list[str]:
    """Say in one line what a policy has that is not the rule: `optional; Since: 0.6; owner ada; expires 2026-12-31`."""
    if policy is None:
        return []
    if isinstance(policy, PatchFormatError):
        return [f"its policy cannot be read: {policy}"]
    parts = [
        "" if policy.need is Need.USUAL else policy.need.value,
        policy.condition,
        f"owner {', '.join(policy.owners)}" if policy.owners else "",
        f"forwarded: {policy.forwarded}" if policy.forwarded not in {None, "no"} else "",
        "" if policy.expires is None else f"expires {policy.expires}",
    ]
    told = "; ".join(filter(None, parts))
    return [told] if told else []


def overdue(policies: Mapping[PatchName, Policy | PatchFormatError], today: date) -> list[Item]:
    """Name the patches whose day has passed, with whom to ask."""
    late = [(name, it) for name, it in policies.items() if isinstance(it, Policy) and it.overdue(today)]
    late.sort(key=lambda one: str(one[1].expires))
    owners = (f" ({', '.join(it.owners)})" if it.owners else "" for _, it in late)
    each = [visible(f"{name} since {it.expires}{who}") for (name, it), who in zip(late, owners, strict=True)]
    more = f" and {len(each) - _NAMES_SHOWN} more" if len(each) > _NAMES_SHOWN else ""
    told = ", ".join(each[:_NAMES_SHOWN]) + more
    what = "still needed? Then set another day by patchq edit NAME; if not, patchq drop NAME"
    return [Item("overdue", f"{told}: {what}")] if late else []


def left_behind(outcomes: Iterable[Judged], *, published: bool) -> list[Item]:
    """Name the optional patches that are not carried, which keep nobody waiting."""
    names = [str(outcome.name) for outcome in outcomes if outcome.open and not outcome.stops]
    how = "published without it" if published else "to be published without it"
    return [Item("optional", f"{', '.join(names)}: {how}; it stays in the series as not carried")] if names else []


def missing(outcomes: Sequence[Judged], subject: Subject) -> list[Item]:
    """Name the required patches that are not carried, without which nothing is published."""
    names = [outcome.name for outcome in outcomes if outcome.missed]
    if not names:
        return []
    text = f"{', '.join(map(str, names))}: nothing is published without it; to go on for now, let it be optional:"
    command = f"{subject.program} edit {names[0]} --remove-trailer Policy --trailer 'Policy: optional'"
    return [Item("required", text, command)]


def policy_entry(policy: Policy | PatchFormatError | None, today: date | None) -> Json:
    """Give a policy; null where it is not known or cannot be read, `overdue` null where no day is asked about."""
    if policy is None or isinstance(policy, PatchFormatError):
        return None
    fields: JsonObject = {
        "need": policy.need.value,
        "since": None if policy.since is None else str(policy.since),
        "until": None if policy.until is None else str(policy.until),
        "owner": ", ".join(policy.owners) or None,
        "forwarded": policy.forwarded,
        "expires": None if policy.expires is None else policy.expires.isoformat(),
        "overdue": None if today is None else policy.overdue(today),
    }
    return fields
