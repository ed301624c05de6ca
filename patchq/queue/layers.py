"""The carried patches as layers over their base, and carried again in another order: who can follow, and who cannot."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.anchor import Expect
from patchq.model.change import ChangeKind
from patchq.model.verdict import Accept, Verdict
from patchq.queue.overlay import Overlay
from patchq.queue.replay import Journey, Task, replay
from patchq.queue.sides import Misfit, parents, sides_of, writes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState
    from patchq.queue.adopt import Ground

_BORN = b"\0"  # no path holds a NUL: what a patch has created is not the file that was there before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A patch whose text fits the tree `before`, and what it makes of it.

    `origins` maps paths of `before` to where the file was in the base, if that is elsewhere. `outcome` is what carrying
    the patch here has found; None: its text stood here already.
    """

    patch: Patch
    before: Overlay
    writes: Mapping[bytes, FileState | None]
    origins: Mapping[bytes, bytes] = field(default_factory=dict)
    outcome: PatchOutcome | None = None

    @property
    def after(self) -> Overlay:
        """The tree with the patch."""
        return self.before.written(self.writes)

    @property
    def origins_after(self) -> Mapping[bytes, bytes]:
        """Where the files of `after` were in the base."""
        return _followed(self.origins, self.patch)


@dataclass(frozen=True, slots=True)
class Restacked:
    """The layers in their new order, each on top of the one before; `failures` could not follow and are left out."""

    layers: tuple[Layer, ...]
    failures: tuple[PatchOutcome, ...]


def layers_of(patches: Iterable[Patch], ground: Ground) -> tuple[Layer, ...]:
    """Apply `patches` to the tree of `ground`, one on top of the other; SeriesError where one does not fit."""
    layers: list[Layer] = []
    stack, origins = Overlay(ground.tree), dict[bytes, bytes]()
    for patch in patches:
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            ref = ground.base.ref
            raise SeriesError(
                f"the series does not apply to its own base, {ref}: {sides.error}",
                hint=f"mend {patch.name.file_name} first; patchq rebase {ref} --dry-run tells what is open",
            )
        layer = Layer(patch=patch, before=stack, writes=writes_of(sides), origins=origins)
        layers.append(layer)
        stack, origins = layer.after, dict(layer.origins_after)
    return tuple(layers)


def restack(layers: Sequence[Layer], ground: Ground, accept: Accept = Accept.PROVEN) -> Restacked:
    """Put `layers` on top of one another in this order, in memory.

    A patch that finds all files that it reads as it knows them keeps its text. Any other is carried there by the
    ladder, with the tree it comes from as base, as to a new upstream. One that cannot be carried, or of which nothing
    would be left, is a failure; the others are still tried, so that all failures are told at once.
    """
    done: list[Layer] = []
    failures: list[PatchOutcome] = []
    stack, origins = Overlay(ground.tree), dict[bytes, bytes]()
    for layer in layers:
        placed = _placed(layer, stack, origins, ground, accept)
        if isinstance(placed, Layer):
            done.append(placed)
            stack, origins = placed.after, dict(placed.origins_after)
        else:
            failures.append(_blocked(placed, failures))
    return Restacked(tuple(done), tuple(failures))


def top_of(layers: Sequence[Layer], ground: Ground) -> Overlay:
    """Return the tree with all of `layers`."""
    return layers[-1].after if layers else Overlay(ground.tree)


def differing(one: Overlay, two: Overlay) -> tuple[bytes, ...]:
    """Return the paths that differ between two trees over the same base, sorted."""
    touched = sorted(one.changes.keys() | two.changes.keys())
    return tuple(path for path in touched if one.read(path) != two.read(path))


def _placed(
    layer: Layer, stack: Overlay, origins: Mapping[bytes, bytes], ground: Ground, accept: Accept
) -> Layer | PatchOutcome:
    if not any(_differs(layer.before, stack, path) for path in _read_paths(layer.patch)):
        return replace(layer, before=stack, origins=origins)
    moved = _moved(layer, origins)
    journey = Journey(base=ground.tree, onto=stack, renames=moved, accept=accept, algorithm=ground.algorithm)
    outcome = replay([Task(layer.patch, layer.before)], journey).outcomes[0]
    if outcome.after is None:
        return outcome
    return Layer(patch=outcome.after, before=stack, writes=outcome.writes, origins=origins, outcome=outcome)


def _differs(one: Overlay, two: Overlay, path: bytes) -> bool:
    if path not in one.changes and path not in two.changes:
        return False
    return one.read(path) != two.read(path)


def _read_paths(patch: Patch) -> set[bytes]:
    """Name every path whose state decides whether `patch` applies, and whether what it expects holds."""
    paths = {path for change in patch.changes for path in (change.old_path, change.new_path) if path is not None}
    paths |= {parent for path in paths for parent in parents(path)}
    expects = (intent.anchor.path for intent in patch.intents if isinstance(intent, Expect))
    return paths | {path.encode("utf-8", "surrogateescape") for path in expects}


def _followed(origins: Mapping[bytes, bytes], patch: Patch) -> dict[bytes, bytes]:
    """Follow files through the renames, deletions and creations of one patch."""
    now = dict(origins)
    arrived: dict[bytes, bytes] = {}
    for change in patch.changes:
        if change.old_path is not None and change.kind in {ChangeKind.RENAME, ChangeKind.DELETE}:
            now.pop(change.old_path, None)
        if change.new_path is None:
            continue
        if change.kind is ChangeKind.RENAME and change.old_path is not None:
            arrived[change.new_path] = origins.get(change.old_path, change.old_path)
        elif change.kind in {ChangeKind.CREATE, ChangeKind.COPY}:
            arrived[change.new_path] = _BORN + change.new_path
    return {**now, **arrived}


def _moved(layer: Layer, origins: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """Map the paths that a patch knows to where the same files are in another stack, if that is elsewhere."""
    places = {origin: path for path, origin in origins.items()}
    known = {change.old_path for change in layer.patch.changes if change.old_path is not None}
    moved = {}
    for path in known:
        origin = layer.origins.get(path, path)
        place = places.get(origin, origin.removeprefix(_BORN))
        if place != path:
            moved[path] = place
    return moved


def _blocked(outcome: PatchOutcome, failures: Sequence[PatchOutcome]) -> PatchOutcome:
    """Say of a patch that clashes where an earlier one could not follow that it waits for that one."""
    paths = _read_paths(outcome.before)
    before: list[PatchName] = [it.name for it in failures if paths & {file.path for file in it.files}]
    if outcome.verdict is not Verdict.CONFLICT or not before:
        return outcome
    return replace(outcome, verdict=Verdict.BLOCKED, blocked_by=tuple(before))
