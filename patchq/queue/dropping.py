"""Patches that a person drops: their entries for the ledger, from which they never come back by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.series import Ledger, LedgerEntry, Retirement, Standing
from patchq.patchfile.read import patch_digest
from patchq.queue.retire import needed_below

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.series import RefPoint, Series


def dropped_entries(
    series: Series, names: Collection[PatchName], base: RefPoint, reason: str
) -> tuple[LedgerEntry, ...]:
    """Write down the patches `names` of `series`, with their last text and the place that they had."""
    entries: list[LedgerEntry] = []
    previous: PatchName | None = None
    below: list[Patch] = []
    for entry in series.entries:
        patch = entry.patch
        if patch.name in names:
            known = None if series.record is None else series.record.find(patch.name)
            edited = known is None or known.digest != patch_digest(patch.raw)
            carried = entry.standing is Standing.CARRIED
            made_for = base if known is None or edited or carried else known.made_for
            entries.append(
                LedgerEntry(
                    name=patch.name,
                    title=patch.message.title,
                    reason=Retirement.DROPPED,
                    seen_at=base,
                    made_for=made_for,
                    stands_on=tuple(it.raw for it in needed_below(patch, below)) if made_for == base else (),
                    how="",
                    evidence=" ".join(reason.split()),
                    after=previous,
                    raw=patch.raw,
                )
            )
        if entry.standing is Standing.CARRIED:
            below.append(patch)
        previous = patch.name
    return tuple(entries)


def with_dropped(ledger: Ledger, dropped: Sequence[LedgerEntry]) -> Ledger:
    """Return `ledger` with the dropped patches, each once: a patch that was absorbed before is dropped from now on."""
    names = {entry.name for entry in dropped}
    return Ledger((*(entry for entry in ledger.entries if entry.name not in names), *dropped))
