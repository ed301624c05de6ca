"""The half of a partial patch that upstream has, as a patch of its own: should upstream take it back, it can return."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.errors import Where
from patchq.model.attempt import Carried, Case
from patchq.model.names import PatchName
from patchq.model.tree import PLAIN, FileState
from patchq.model.verdict import Verdict
from patchq.patchfile.intents import parse_intent
from patchq.patchfile.read import read_patch, write_patch
from patchq.queue.refresh import Turn, describe, refreshed
from patchq.reapply.facts import anchor_stands
from patchq.reapply.ladder import carry
from patchq.text.lines import is_binary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from patchq.model.patch import Patch, Trailer
    from patchq.model.tree import TreeReader
    from patchq.queue.carrying import FileResult
    from patchq.queue.sides import Sides
    from patchq.reapply.describe import HashAlgorithm

_SUFFIX = "-landed"
_LONGEST = 100  # characters of a name that still has room for the suffix and a number


def landed(
    patch: Patch, halves: Iterable[tuple[Sides, FileResult]], onto: TreeReader, algorithm: HashAlgorithm
) -> Patch | None:
    """Return what upstream has of a partial `patch`, made for the base of its sides; None where that is not certain.

    What is carried is taken back from the patched file, by the same ladder. What is left is believed only if the
    pristine upstream, `onto`, has all of it. Intents stay where they speak of it.
    """
    turns = [turn for sides, result in halves if (turn := _turn(sides, result, onto)) is not None]
    changes = tuple(change for turn in turns for change in describe(turn, algorithm))
    if not changes:
        return None
    kept = tuple(trailer for trailer in patch.message.trailers if _holds(trailer, turns))
    own = replace(patch, message=replace(patch.message, trailers=kept), intents=())
    head = read_patch(patch.name, write_patch(own), file=patch.name.file_name)
    return refreshed(head, changes, {})


def named_apart(part: Patch, name: PatchName, taken: Collection[PatchName]) -> Patch:
    """Call the landed half of `name` after it, by a name that is not `taken`."""
    stem = f"{name.value[:_LONGEST].rstrip('.-+')}{_SUFFIX}"
    numbered = (PatchName(stem if count == 1 else f"{stem}-{count}") for count in range(1, len(taken) + 2))
    return replace(part, name=next(one for one in numbered if one not in taken))


def _turn(sides: Sides, result: FileResult, onto: TreeReader) -> Turn | None:
    """Say what upstream has of one file's change, on the patch's own base."""
    base, theirs, path = sides.base, sides.theirs, sides.change.path
    old_path = path if sides.change.old_path is None else sides.change.old_path
    if result.outcome.verdict is Verdict.ABSORBED:
        return Turn(old_path=old_path, old=base, new_path=path, new=theirs)
    pristine = onto.read(result.turn.old_path)
    if (
        result.outcome.verdict is not Verdict.PARTIAL
        or result.also
        or base is None
        or theirs is None
        or pristine is None
    ):
        return None
    new_path = path if result.turn.old_path == path else old_path
    mode = theirs.mode if pristine.mode is theirs.mode else base.mode
    data = base.data
    if pristine.data == theirs.data:
        data = theirs.data
    elif all(map(_is_text, (base, theirs, result.turn.old, result.turn.new, pristine))):
        data = _landed_text(base.data, theirs.data, result.turn, path, pristine.data)
    new = FileState(mode, data)
    return (
        None if new == base and new_path == old_path else Turn(old_path=old_path, old=base, new_path=new_path, new=new)
    )


def _landed_text(base: bytes, theirs: bytes, turn: Turn, path: bytes, pristine: bytes) -> bytes:
    """Take the rest back from the patched text; `base` where that is not what the pristine upstream has all of."""
    if turn.old is None or turn.new is None:
        return base
    if turn.new.data == turn.old.data:  # upstream has all of the contents; the mode or the name is left
        return theirs
    undone = carry(Case(path=turn.old_path, ours_path=path, base=turn.new.data, theirs=turn.old.data, ours=theirs))
    if not isinstance(undone, Carried) or undone.data in {base, theirs}:
        return base
    again = carry(Case(path=path, ours_path=turn.old_path, base=base, theirs=undone.data, ours=pristine))
    return undone.data if isinstance(again, Carried) and again.absorbed is not None else base


def _is_text(state: FileState | None) -> bool:
    return state is not None and state.mode in PLAIN and not is_binary(state.data)


def _holds(trailer: Trailer, turns: Iterable[Turn]) -> bool:
    """Whether a trailer is no intent, or one that speaks of what `turns` make."""
    intent = parse_intent(trailer, where=Where(field=trailer.key))
    if intent is None:
        return True
    path = intent.anchor.path.encode("utf-8", "surrogateescape")
    made = [turn for turn in turns if turn.new_path == path and turn.new is not None]
    return any(
        turn.new is not None
        and anchor_stands(intent.anchor, turn.new.data)
        and not (turn.old is not None and anchor_stands(intent.anchor, turn.old.data))
        for turn in made
    )
