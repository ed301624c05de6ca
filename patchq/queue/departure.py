"""Patches on their way out of a series: which ones a person means, each as a mail, or all of them as one change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.model.change import ChangeKind
from patchq.model.patch import Trailer
from patchq.model.series import Standing
from patchq.patchfile.mailing import write_mail
from patchq.queue.finding import find_patch
from patchq.queue.overlay import Overlay
from patchq.queue.refresh import Turn, describe
from patchq.queue.settle import PATCH_TRAILER
from patchq.queue.sides import Misfit, sides_of, writes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.series import Entry, Series
    from patchq.model.tree import TreeReader
    from patchq.queue.sides import Sides
    from patchq.reapply.describe import HashAlgorithm

_RANGE = ".."  # no patch name holds it


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Entries of a series in its order, and the patches that nobody named and that are not carried."""

    entries: tuple[Entry, ...]
    left_out: tuple[Entry, ...] = ()


def choose(series: Series, texts: Sequence[str]) -> Choice:
    """Return what `texts` mean: names, beginnings of names, ranges `FIRST..LAST` with both ends; nothing: all carried.

    SeriesError for a name that the series has not, or a range that runs backwards.
    """
    if not texts:
        carried = tuple(entry for entry in series.entries if entry.standing is Standing.CARRIED)
        return Choice(
            entries=carried,
            left_out=tuple(entry for entry in series.entries if entry.standing is Standing.NOT_CARRIED),
        )
    chosen: set[int] = set()
    for text in texts:
        first, dots, last = text.partition(_RANGE)
        if not dots:
            chosen.add(_position(series, text))
            continue
        start = _position(series, first) if first else 0
        end = _position(series, last) if last else len(series.entries) - 1
        if start > end:
            raise SeriesError(f"{first} stands behind {last} in the series", hint=f"write {last}..{first}")
        inside = range(start, end + 1)
        chosen |= {at for at in inside if series.entries[at].standing is Standing.CARRIED}
    if not chosen:
        raise SeriesError(f"no patch in {' '.join(texts)} is carried", hint=f"patchq series {series.ref}")
    return Choice(entries=tuple(entry for at, entry in enumerate(series.entries) if at in chosen))


def mails(patches: Sequence[Patch]) -> list[bytes]:
    """Write each patch as a mail that says its name in a header field, from which import takes it."""
    return [write_mail(patch, (Trailer(PATCH_TRAILER, str(patch.name)),)) for patch in patches]


def combined(
    before: Sequence[Patch], patches: Sequence[Patch], tree: TreeReader, algorithm: HashAlgorithm
) -> tuple[FileChange, ...]:
    """Describe what `patches` change together, on `tree` with the patches of `before` applied, sorted by path.

    Renames are followed through all of them. SeriesError where a patch does not apply, which is one that needs a patch
    that was not chosen; empty where they undo one another.
    """
    ground = _applied(before, Overlay(tree), {})
    origins: dict[bytes, bytes | None] = {}
    stack = _applied(patches, Overlay(ground), origins)
    turns = _turns(stack, ground, origins)
    return tuple(change for turn in turns for change in describe(turn, algorithm))


def _position(series: Series, text: str) -> int:
    return series.entries.index(find_patch(series, text))


def _applied(patches: Sequence[Patch], stack: Overlay, origins: dict[bytes, bytes | None]) -> Overlay:
    """Apply `patches`; note in `origins` which path of the ground each moved or made file came from, if any."""
    for patch in patches:
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            raise SeriesError(
                f"does not apply without the patches between: {sides.error}",
                hint="choose a range without gaps, FIRST..LAST",
                where=Where(patch=str(patch.name)),
            )
        origins.update({side.change.path: _origin(side, origins) for side in sides if _moves(side)})
        stack = stack.written(writes_of(sides))
    return stack


def _moves(side: Sides) -> bool:
    return side.change.kind in {ChangeKind.RENAME, ChangeKind.CREATE, ChangeKind.COPY}


def _origin(side: Sides, origins: Mapping[bytes, bytes | None]) -> bytes | None:
    old = side.change.old_path
    if side.change.kind is not ChangeKind.RENAME or old is None:
        return None
    return origins.get(old, old)


def _turns(stack: Overlay, ground: TreeReader, origins: Mapping[bytes, bytes | None]) -> Iterator[Turn]:
    """Give each changed file before and after; one that only moved counts as moved where nothing took either place."""
    moved = {
        path: source
        for path, source in origins.items()
        if source is not None
        and source != path
        and ground.read(path) is None
        and ground.read(source) is not None
        and stack.read(source) is None
        and stack.read(path) is not None
    }
    told = set(moved.values())
    for path in sorted(stack.changes):
        old_path = moved.get(path, path)
        old, new = ground.read(old_path), stack.changes[path]
        if path not in told and (old != new or old_path != path):
            yield Turn(old_path=old_path, old=old, new_path=path, new=new)
