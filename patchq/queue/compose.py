"""Patches put together, taken apart and written anew: the diff between two trees of a stack, as one patch has it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, PatchFormatError, SeriesError, Where
from patchq.model.tree import Mode
from patchq.patchfile.countercheck import Differs, read_again
from patchq.queue.adopt import in_place
from patchq.queue.carrying import Carrier
from patchq.queue.layers import Layer
from patchq.queue.refresh import Turn, describe, refreshed
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.reapply.describe import similarity
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.queue.adopt import Ground
    from patchq.queue.overlay import Overlay

_RENAME_FROM = 50  # percent, as for `git diff -M`


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree in a stack, and where its files were in the base."""

    files: Overlay
    origins: Mapping[bytes, bytes]


def before(layer: Layer) -> Tree:
    """Return the tree that a layer stands on."""
    return Tree(layer.before, layer.origins)


def after(layer: Layer) -> Tree:
    """Return the tree that a layer makes."""
    return Tree(layer.after, layer.origins_after)


def turns_between(old: Tree, new: Tree) -> tuple[Turn, ...]:
    """Say which files differ between two trees over the same base, renames paired, in the order of their paths."""
    touched = sorted(old.files.changes.keys() | new.files.changes.keys())
    states = {path: (old.files.read(path), new.files.read(path)) for path in touched}
    changed = [path for path, (one, two) in states.items() if one != two]
    left = {old.origins.get(path, path): path for path in changed if states[path][1] is None}
    turns: dict[bytes, Turn] = {}
    gone: set[bytes] = set()
    for path in changed:
        source, state = left.get(new.origins.get(path, path)), states[path]
        was = None if source is None else states[source][0]
        if source is None or was is None or state[0] is not None or state[1] is None:
            turns[path] = Turn(old_path=path, old=state[0], new_path=path, new=state[1])
        elif _one_file(was.mode, state[1].mode) and similarity(was.data, state[1].data) >= _RENAME_FROM:
            turns[path] = Turn(old_path=source, old=was, new_path=path, new=state[1])
            gone.add(source)
        else:
            turns[path] = Turn(old_path=path, old=None, new_path=path, new=state[1])
    return tuple(turn for path, turn in turns.items() if path not in gone)


def changes_of(turns: Sequence[Turn], ground: Ground) -> tuple[FileChange, ...]:
    """Write turns as file changes."""
    return tuple(change for turn in turns for change in describe(turn, ground.algorithm))


def rewritten(patch: Patch, old: Tree, new: Tree, ground: Ground) -> Layer:
    """Give `patch` the difference between two trees for its diff; its head keeps its bytes.

    The text is proved: it reads back the same, by unidiff too, and applied to `old` it makes `new`. SeriesError where
    nothing differs, PatchFormatError where the proof fails.
    """
    turns = turns_between(old, new)
    changes = changes_of(turns, ground)
    where = Where(patch=str(patch.name))
    if not changes:
        raise SeriesError("nothing would be left of it", hint=f"patchq drop {patch.name} takes it out", where=where)
    kept = refreshed(patch, changes, {})
    second = read_again(kept.raw, kept.changes)
    if kept.changes != changes or isinstance(second, Differs):
        raise PatchFormatError("cannot be written as a patch that reads back", where=where)
    sides = sides_of(kept, old.files)
    writes = {} if isinstance(sides, Misfit) else writes_of(sides)
    made = old.files.written(writes)
    if any(made.read(path) != new.files.read(path) for path in made.changes.keys() | new.files.changes.keys()):
        raise PatchFormatError("applied, it would not make what it was taken from", where=where)
    return recorded(Layer(patch=kept, before=old.files, writes=writes, origins=old.origins), ground)


def relabelled(layer: Layer, patch: Patch, ground: Ground) -> Layer:
    """Return `layer` with a patch of the same diff and another head or name; ApplyError where an `Expect:` fails."""
    unmet = Carrier(patch, layer.before, ground.tree, {}, ground.algorithm).unmet(layer.writes)
    if unmet is not None:
        raise ApplyError(unmet.reason, hint="correct the trailer, or leave it out", where=Where(patch=str(patch.name)))
    return replace(layer, patch=patch)


def _one_file(old: Mode, new: Mode) -> bool:
    return (old is Mode.SYMLINK) == (new is Mode.SYMLINK)


def recorded(layer: Layer, ground: Ground) -> Layer:
    """Tell, for the record, of a patch that a person has made or edited at its place: what it leaves there."""
    patch = layer.patch
    turns = turns_between(before(layer), after(layer))
    outcome = in_place(patch, patch, turns, f"made on {ground.base.ref}", Forest())
    return replace(layer, outcome=outcome)
