"""A series that a person has edited, with its record: what is new in it, what was carried again, and what stays."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.series import Entry, Record, Standing
from patchq.patchfile.read import patch_digest
from patchq.queue.compose import recorded
from patchq.queue.settle import patch_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.series import PatchRecord, Series
    from patchq.queue.adopt import Ground
    from patchq.queue.layers import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What an edit makes of a series.

    `order` has all entries, those that are not carried too; the carried ones get their texts from `layers`, which are
    in the same order. `heirs` maps new names to the patches whose place and record they take; `sources` says of other
    new patches where they come from.
    """

    order: tuple[Entry, ...]
    layers: tuple[Layer, ...]
    heirs: Mapping[PatchName, PatchName] = field(default_factory=dict)
    sources: Mapping[PatchName, str] = field(default_factory=dict)
    lines: tuple[str, ...] | None = None


def carried_layers(order: Sequence[Entry], layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Return the layers of the carried entries of `order`, in that order; `layers` may have more."""
    known = {layer.patch.name: layer for layer in layers}
    return tuple(known[entry.patch.name] for entry in order if entry.standing is Standing.CARRIED)


def edited_series(series: Series, edited: Edited, ground: Ground) -> Series:
    """Return `series` after the edit. Patches whose text stays keep what was found out about them."""
    record = series.record or Record(base=ground.base, branch=None, branch_commit=None, patches=())
    layers = {layer.patch.name: layer for layer in edited.layers}
    entries: list[Entry] = []
    records: list[PatchRecord] = []
    for entry in edited.order:
        name = entry.patch.name
        layer = layers.get(name) if entry.standing is Standing.CARRIED else None
        known = record.find(edited.heirs.get(name, name))
        if layer is not None and layer.outcome is None and (known is None or _by_hand(known, series)):
            layer = recorded(layer, ground)
        entries.append(entry if layer is None else replace(entry, patch=layer.patch))
        if layer is not None and layer.outcome is not None:
            origin = edited.sources.get(name, "series" if known is None else known.origin)
            outcome = replace(layer.outcome, name=name)
            records.append(patch_record(outcome, layer.patch, made_for=ground.base, origin=origin))
        elif known is not None:
            records.append(_kept(known, entries[-1], series, ground))
    lines = series.lines if edited.lines is None else edited.lines
    return replace(series, entries=tuple(entries), lines=lines, record=replace(record, patches=tuple(records)))


def _kept(known: PatchRecord, entry: Entry, series: Series, ground: Ground) -> PatchRecord:
    """Let the record of a patch follow its name and its new head; an edit by hand that nobody has proved stays seen."""
    patch = entry.patch
    if _by_hand(known, series):
        return replace(known, name=patch.name)
    made_for = ground.base if entry.standing is Standing.CARRIED else known.made_for
    return replace(known, name=patch.name, digest=patch_digest(patch.raw), made_for=made_for)


def _by_hand(known: PatchRecord, series: Series) -> bool:
    """Whether the text of a patch was edited since it was recorded."""
    before = next((entry.patch for entry in series.entries if entry.patch.name == known.name), None)
    return before is None or patch_digest(before.raw) != known.digest
