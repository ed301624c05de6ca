"""Where a retired patch belongs in the order: behind the patch it stood behind, whatever has become of that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from patchq.model.names import PatchName
    from patchq.model.series import Entry, Ledger, LedgerEntry


def line_up(entries: Sequence[Entry], asked: Sequence[LedgerEntry], ledger: Ledger) -> tuple[Entry | LedgerEntry, ...]:
    """Return `entries` in their order with those of the ledger that are `asked` put between them, each once.

    A patch stands behind its `after`; where that one is retired itself, `ledger` tells what it stood behind. What
    nothing is known of stands first: it fits a tree of its own, and later patches may need it. Of two with the same
    place the one that was retired earlier stands first.
    """
    standing = {entry.patch.name for entry in entries} | {entry.name for entry in asked}
    behind: dict[PatchName | None, list[LedgerEntry]] = {}
    for entry in asked:
        behind.setdefault(_place(entry, standing, ledger), []).append(entry)
    order: list[Entry | LedgerEntry] = list(_with_followers(behind.pop(None, ()), behind))
    for one in entries:
        order += [one, *_with_followers(behind.pop(one.patch.name, ()), behind)]
    # Only entries edited by hand can stand behind one another in a ring; they must not be lost either.
    return (*order, *(entry for left in behind.values() for entry in left))


def _place(entry: LedgerEntry, standing: Iterable[PatchName], ledger: Ledger) -> PatchName | None:
    place, seen = entry.after, {entry.name}
    while place is not None and (place not in standing or place in seen):
        known = None if place in seen else ledger.find(place)
        seen.add(place)
        place = None if known is None else known.after
    return place


def _with_followers(
    first: Iterable[LedgerEntry], behind: dict[PatchName | None, list[LedgerEntry]]
) -> Iterator[LedgerEntry]:
    waiting = list(reversed(list(first)))
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(reversed(behind.pop(entry.name, ())))
