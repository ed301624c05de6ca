"""Patches join a series: each must fit on top of the ones before it, and is written anew as it does; all or none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.errors import ApplyError, PatchFormatError, PatchqError, SeriesError, Where
from patchq.model.anchor import Mirror
from patchq.model.change import ChangeKind
from patchq.model.names import PatchName
from patchq.model.outcome import FileOutcome, PatchOutcome
from patchq.model.series import Entry, Record, Series, Standing
from patchq.model.tree import Mode
from patchq.model.verdict import ReviewClass, Rung, Verdict
from patchq.patchfile.countercheck import Differs, read_again
from patchq.patchfile.read import canonical, read_patch
from patchq.queue.arrival import Naming, Wording
from patchq.queue.carrying import Carrier, facts_of
from patchq.queue.overlay import Overlay
from patchq.queue.refresh import describe, refreshed
from patchq.queue.settle import patch_record
from patchq.queue.sides import Misfit, sides_of, turn_of, writes_of
from patchq.queue.unfit import same_diff
from patchq.reapply.apply import apply_change
from patchq.reapply.describe import HashAlgorithm
from patchq.reapply.mirror import propose_mirrors
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.series import PatchRecord, RefPoint
    from patchq.model.tree import TreeReader
    from patchq.queue.arrival import Arrival
    from patchq.queue.refresh import Turn
    from patchq.queue.sides import Sides


class Mirrors(Enum):
    """What is done about added entries that equal a neighbour."""

    PROPOSED = "proposed"  # a person is told which line to add
    ADDED = "added"  # the patch gets the trailers
    IGNORED = "ignored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a series stands on: the upstream state, its tree, and what names the blobs there."""

    base: RefPoint
    tree: TreeReader
    algorithm: HashAlgorithm = HashAlgorithm.SHA1


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted:
    """The series with the new patches (`patches`, as they are kept) and its record; `mirrors` were found in them."""

    series: Series
    patches: tuple[Patch, ...]
    mirrors: Mapping[PatchName, tuple[Mirror, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """`patch` does not apply on `stack`, which is the base with all patches of the series and those before it."""

    patch: Patch
    error: PatchqError
    stack: Overlay


def adopt(series: Series, arrivals: Sequence[Arrival], ground: Ground, mirrors: Mirrors) -> Adopted | Unfit:
    """Append `arrivals` to `series`, in memory; the first one that does not fit is the answer.

    Messages must have author and date. Each diff is described anew from the files before and after it, so that hunks,
    line numbers and blob ids are those of its place. SeriesError for a patch that the series has already, that changes
    nothing, or whose given name is taken; ApplyError where it would write over a file, or an `Expect:` does not hold.
    """
    stack = _stack_of(series, ground)
    entries, records = list(series.entries), list(() if series.record is None else series.record.patches)
    found: dict[PatchName, tuple[Mirror, ...]] = {}
    # The name of a patch that upstream has is not free: it may come back.
    retired = () if series.record is None else series.record.retired or ()
    others = (*series.strays, *(name.file_name for name in retired))
    for arrival in arrivals:
        patch = arrival.patch
        _refuse_twin(patch, entries)
        if arrival.standing is Standing.NOT_CARRIED:
            named = replace(patch, name=_free_name(arrival, entries, series.strays))
            entries.append(Entry(patch=_as_it_came(arrival, named), standing=arrival.standing))
            continue
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            return Unfit(patch=patch, error=sides.error, stack=stack)
        writes = writes_of(sides)
        turns = [turn_of(side) for side in sides]
        named = replace(patch, name=_free_name(arrival, entries, others))
        forest = Forest()
        copies = () if mirrors is Mirrors.IGNORED else _copies(patch, turns, forest)
        kept = _kept(arrival, named, sides, ground, copies if mirrors is Mirrors.ADDED else ())
        unmet = Carrier(kept, stack, ground.tree, {}, ground.algorithm).unmet(writes)
        if unmet is not None:
            raise ApplyError(
                unmet.reason, hint="correct the trailer, or leave it out", where=Where(patch=str(kept.name))
            )
        stack = stack.written(writes)
        entries.append(Entry(patch=kept))
        records.append(_record(arrival, kept, turns, ground, forest))
        if copies:
            found[kept.name] = copies
    record = series.record or Record(base=ground.base, branch=None, branch_commit=None, patches=())
    joined = replace(series, entries=tuple(entries), record=replace(record, patches=tuple(records)))
    added = tuple(entry.patch for entry in entries[len(series.entries) :])
    return Adopted(series=joined, patches=added, mirrors=found)


def _stack_of(series: Series, ground: Ground) -> Overlay:
    """Apply what the series carries already."""
    stack = Overlay(ground.tree)
    for patch in series.carried:
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            raise SeriesError(
                f"the series does not apply to its own base, {ground.base.ref}: {sides.error}",
                hint=f"mend {patch.name.file_name} first; patchq rebase {ground.base.ref} --dry-run tells what is open",
            )
        stack = stack.written(writes_of(sides))
    return stack


def _refuse_twin(patch: Patch, entries: Sequence[Entry]) -> None:
    twin = next((entry.patch for entry in entries if same_diff(entry.patch, patch)), None)
    if twin is not None:
        raise SeriesError(
            f"the series has this patch already, as {twin.name}",
            hint=f"patchq show {twin.name}",
            where=Where(patch=str(patch.name)),
        )


def _free_name(arrival: Arrival, entries: Sequence[Entry], others: Sequence[str]) -> PatchName:
    """Give the patch its name, or one with a number; names that differ in case only are one on some file systems."""
    name = arrival.patch.name
    taken = {entry.patch.name.file_name.casefold() for entry in entries} | {other.casefold() for other in others}
    match arrival.naming:
        case Naming.GIVEN:
            if name.file_name.casefold() in taken:
                raise SeriesError(f"there is a patch {name} already", hint="choose another one with --name NAME")
            return name
        case Naming.DERIVED:
            free, number = name, 1
            while free.file_name.casefold() in taken:
                number += 1
                free = PatchName(f"{name}-{number}")
            return free
        case _:
            assert_never(arrival.naming)


def _kept(arrival: Arrival, patch: Patch, sides: Sequence[Sides], ground: Ground, mirrors: Sequence[Mirror]) -> Patch:
    """Write the patch as its place makes it, and prove that it reads back, by our reader and by an independent one."""
    changes = tuple(change for side in sides for change in describe(turn_of(side), ground.algorithm))
    if not changes:
        raise SeriesError(f"changes nothing on {ground.base.ref}", where=Where(patch=str(patch.name)))
    if arrival.wording is Wording.KEPT and not mirrors:
        kept = _as_it_came(arrival, patch)
        if _says(kept.changes, changes) and _fits_as_stated(sides):
            changes = kept.changes
        else:
            kept = refreshed(kept, changes, {})
    else:
        kept = canonical(replace(patch, changes=changes, intents=(*patch.intents, *mirrors)))
    if kept.changes != changes:
        raise PatchFormatError("cannot be written as a patch that reads back", where=Where(patch=str(patch.name)))
    second = read_again(kept.raw, kept.changes)
    if isinstance(second, Differs):
        raise PatchFormatError(f"is read differently by unidiff: {second.what}", where=Where(patch=str(patch.name)))
    return kept


def _as_it_came(arrival: Arrival, patch: Patch) -> Patch:
    if arrival.wording is Wording.KEPT:
        return read_patch(patch.name, patch.raw, file=patch.name.file_name)
    return canonical(patch)


def _says(told: Sequence[FileChange], true: Sequence[FileChange]) -> bool:
    """Whether a diff names the very files before and after, by their full ids; its hunks may have more context."""
    return sorted(map(_named_sides, told)) == sorted(map(_named_sides, true))


def _named_sides(change: FileChange) -> tuple[bytes, bytes, str, tuple[str, ...]]:
    modes = (change.old_mode, change.new_mode)
    words = (
        change.kind.value,
        change.old_id or "",
        change.new_id or "",
        *(mode.value if mode else "" for mode in modes),
    )
    return change.old_path or b"", change.new_path or b"", change.kind.value, words


def _fits_as_stated(sides: Sequence[Sides]) -> bool:
    """Whether every hunk stands at the line that it states, so that nobody has to look for it."""
    try:
        return all(
            len(side.changes) == 1
            and side.change.kind is not ChangeKind.COPY
            and apply_change(side.change, side.base, where=Where()) == side.theirs
            for side in sides
        )
    except PatchqError:
        return False


def _copies(patch: Patch, turns: Sequence[Turn], forest: Forest) -> tuple[Mirror, ...]:
    """Find the added entries that equal a neighbour and are not told to mirror one."""
    told = {intent.anchor for intent in patch.intents if isinstance(intent, Mirror)}
    return tuple(
        mirror
        for turn in turns
        if turn.old is not None and turn.new is not None and Mode.SYMLINK not in {turn.old.mode, turn.new.mode}
        for mirror in propose_mirrors(turn.new_path, turn.old.data, turn.new.data, forest)
        if mirror.anchor not in told
    )


def _record(arrival: Arrival, kept: Patch, turns: Sequence[Turn], ground: Ground, forest: Forest) -> PatchRecord:
    outcome = in_place(arrival.patch, kept, turns, f"applies to {ground.base.ref}", forest)
    return patch_record(outcome, kept, made_for=ground.base, origin=arrival.origin)


def in_place(before: Patch, after: Patch, turns: Iterable[Turn], evidence: str, forest: Forest) -> PatchOutcome:
    """Tell of a patch that stands where it was made: what each of `turns` leaves there, on one word of evidence."""
    files = tuple(
        FileOutcome(
            path=turn.old_path if turn.new is None else turn.new_path,
            old_path=None,
            verdict=Verdict.CLEAN,
            rung=Rung.EXACT,
            review=ReviewClass.A,
            evidence=evidence,
            facts=facts_of(turn, forest),
        )
        for turn in turns
    )
    return PatchOutcome(
        name=after.name,
        before=before,
        after=after,
        verdict=Verdict.CLEAN,
        rung=Rung.EXACT,
        review=ReviewClass.A,
        files=files,
    )
