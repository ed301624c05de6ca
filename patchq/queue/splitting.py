"""A patch taken apart by files or hunks: two patches that make, one after the other, exactly what it made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, SeriesError, Where
from patchq.model.change import ChangeKind, TextBody
from patchq.model.tree import FileState
from patchq.patchfile.intents import parse_intent
from patchq.patchfile.read import read_patch, write_patch
from patchq.patchfile.rehead import replace_text, text_of
from patchq.queue.compose import Tree, after, before, relabelled, rewritten
from patchq.queue.order import Side
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.reapply.drift import Placed, locate_hunks
from patchq.reapply.hunks import apply_hunks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from patchq.model.change import FileChange, Hunk
    from patchq.model.names import PatchName
    from patchq.model.patch import Message, Patch, Trailer
    from patchq.queue.adopt import Ground
    from patchq.queue.layers import Layer
    from patchq.queue.sides import Sides


@dataclass(frozen=True, slots=True)
class Selection:
    """What goes into the new patch: whole files by the path of their change, and hunks of others, counted from 1."""

    files: frozenset[bytes] = frozenset()
    hunks: Mapping[bytes, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """The patch that is split off: its name, subject and body, and on which side of the rest it stands."""

    name: PatchName
    message: Message
    side: Side


def split(layer: Layer, selection: Selection, part: NewPart, ground: Ground) -> tuple[Layer, Layer]:
    """Return the two layers, in order, that make what `layer` makes; the rest keeps its name and head.

    `Expect:` and `Mirror:` go with the file that they name; where both parts change it, they go to the later one.
    SeriesError where the selection is all of the patch or nothing, ApplyError where an `Expect:` does not hold.
    """
    patch = layer.patch
    sides = sides_of(patch, layer.before)
    if isinstance(sides, Misfit):
        raise sides.error
    _refuse_unfit(patch, selection)
    between = _between(layer, sides, selection, part.side)
    ours = _touched(patch, selection)
    rest, new = _with_messages(patch, part, frozenset(ours - _shared(patch, selection)), frozenset(ours))
    first, second = (new, rest) if part.side is Side.BEFORE else (rest, new)
    below = rewritten(first, before(layer), between, ground)
    above = rewritten(second, replace(between, origins=below.origins_after), after(layer), ground)
    return relabelled(below, below.patch, ground), relabelled(above, above.patch, ground)


def _between(layer: Layer, sides: tuple[Sides, ...], selection: Selection, side: Side) -> Tree:
    """Make the tree with the lower part only."""
    writes: dict[bytes, FileState | None] = {}
    for one in sides:
        path = one.change.path
        numbers = selection.hunks.get(path)
        if numbers is None:
            lower = (path in selection.files) is (side is Side.BEFORE)
            writes.update(writes_of([one]) if lower else {})
        else:
            writes.update(_partly(one, numbers, side))
    kept = {path: origin for path, origin in layer.origins.items() if path not in writes}
    moved = {path: origin for path, origin in layer.origins_after.items() if path in writes}
    return Tree(layer.before.written(writes), {**kept, **moved})


def _partly(one: Sides, numbers: frozenset[int], side: Side) -> dict[bytes, FileState | None]:
    """Write the lower part of a file whose hunks are divided; a rename or a new mode belongs to the rest."""
    change, body, base, theirs = one.change, one.change.body, one.base, one.theirs
    if not isinstance(body, TextBody) or base is None or theirs is None:
        raise SeriesError("cannot be split by hunks", hint="--files takes all of it", where=_where(change))
    chosen = [
        hunk
        for number, hunk in enumerate(_placed(body.hunks, base.data), 1)
        if (number in numbers) is (side is Side.BEFORE)
    ]
    data = apply_hunks(chosen, base.data, where=_where(change))
    if side is Side.BEFORE:
        return {change.old_path or change.path: FileState(base.mode, data)}
    left = {change.old_path: None} if change.kind is ChangeKind.RENAME and change.old_path is not None else {}
    return {**left, change.path: FileState(theirs.mode, data)}


def _placed(hunks: tuple[Hunk, ...], data: bytes) -> tuple[Hunk, ...]:
    """Give the hunks the lines at which they stand, if the patch was made for others."""
    try:
        apply_hunks(hunks, data, where=Where())
    except ApplyError:
        placement = locate_hunks(hunks, data)
        return placement.hunks if isinstance(placement, Placed) else hunks
    return hunks


def _refuse_unfit(patch: Patch, selection: Selection) -> None:
    for path, numbers in selection.hunks.items():
        change = next(change for change in patch.changes if change.path == path)
        count = len(change.body.hunks) if isinstance(change.body, TextBody) else 0
        wrong = sorted(number for number in numbers if not 1 <= number <= count)
        if wrong:
            raise SeriesError(
                f"there is no hunk {wrong[0]}: it has {count}", hint=f"patchq show {patch.name}", where=_where(change)
            )
    left = [change for change in patch.changes if not _all_of(change, selection)]
    if not left:
        raise SeriesError("this is all of the patch; nothing would be left", where=Where(patch=str(patch.name)))
    if not selection.files and not any(selection.hunks.values()):
        raise SeriesError("nothing is selected", where=Where(patch=str(patch.name)))


def _all_of(change: FileChange, selection: Selection) -> bool:
    if change.path in selection.files:
        return True
    count = len(change.body.hunks) if isinstance(change.body, TextBody) else 0
    plain = change.kind is ChangeKind.MODIFY and change.old_mode is change.new_mode
    return plain and count > 0 and len(selection.hunks.get(change.path, ())) == count


def _touched(patch: Patch, selection: Selection) -> set[bytes]:
    """Name the files of the new patch, by both of their paths."""
    chosen = [change for change in patch.changes if change.path in selection.files or change.path in selection.hunks]
    return {path for change in chosen for path in (change.old_path, change.new_path) if path is not None}


def _shared(patch: Patch, selection: Selection) -> set[bytes]:
    """Name the files that both parts change."""
    chosen = [it for it in patch.changes if it.path in selection.hunks and not _all_of(it, selection)]
    return {path for change in chosen for path in (change.old_path, change.new_path) if path is not None}


def _with_messages(
    patch: Patch, part: NewPart, alone: frozenset[bytes], touched: frozenset[bytes]
) -> tuple[Patch, Patch]:
    """Return the rest and the new patch with their messages; their diffs are still that of the whole."""
    file = patch.name.file_name
    mine = touched if part.side is Side.AFTER else alone
    moving = [trailer for trailer in patch.message.trailers if _path_of(trailer) in mine]
    text = text_of(patch.raw, file=file)
    stay = tuple(trailer for trailer in text.trailers if trailer not in moving)
    raw = patch.raw if stay == text.trailers else replace_text(patch.raw, replace(text, trailers=stay), file=file)
    own = patch.message
    told = replace(part.message, author=own.author, date=own.date, trailers=(*part.message.trailers, *moving))
    new = replace(patch, name=part.name, message=told, intents=())
    written = write_patch(new)
    return read_patch(patch.name, raw, file=file), read_patch(part.name, written, file=part.name.file_name)


def _path_of(trailer: Trailer) -> bytes | None:
    intent = parse_intent(trailer, where=Where(field=trailer.key))
    return None if intent is None else intent.anchor.path.encode("utf-8", "surrogateescape")


def _where(change: FileChange) -> Where:
    return Where(file=change.path.decode("utf-8", "replace"))
