"""A series put onto a tree of plain files, in memory: what it has is taken back first, then all of it is carried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import ApplyError, Where
from patchq.model.outcome import Replay
from patchq.model.verification import State
from patchq.queue.groundwork import without
from patchq.queue.overlay import Overlay
from patchq.queue.prefixes import Placed
from patchq.queue.replay import Journey, Task, replay
from patchq.queue.verifying import verify
from patchq.reapply.spots import decoded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.model.verdict import Accept
    from patchq.model.verification import PatchSight
    from patchq.queue.groundwork import Footing
    from patchq.queue.verifying import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """What applying a series to a tree comes to.

    `before` and `after` are what the tree has of each patch now, and what it will have. `writes` are the files that
    change, by the paths of the series (None: removed); none where a patch is open. `outside` are files of patches that
    such a tree does not hold.
    """

    replay: Replay
    before: tuple[PatchSight, ...]
    after: tuple[PatchSight, ...]
    writes: Mapping[bytes, FileState | None]
    outside: tuple[bytes, ...]


def apply_series(asks: Sequence[Ask], tree: Placed, base: TreeReader | None, accept: Accept) -> Application:
    """Carry all patches onto `tree`, as a rebase does: same ladder, same proof, all or nothing.

    `base` is the upstream tree that the series was made for. Without it the files of the tree have to be that
    upstream's by their object ids, or the patches have to fit in one place each and leave there the facts that are on
    record. ApplyError for a file that is neither.
    """
    before = verify(asks, tree, base)
    if all(sight.state is State.PRESENT for sight in before):
        return Application(replay=Replay(()), before=before, after=before, writes={}, outside=())
    patches = [ask.patch for ask in asks]
    outside = tuple(dict.fromkeys(path for patch in patches for path in _paths(patch) if not tree.way.holds(path)))
    inner = [made for patch in patches if (made := _inside(patch, outside)).changes]
    ground = without(inner, tree)
    start: TreeReader = ground.tree
    if base is None:
        for path, foot in ground.doubtful.items():
            if foot.before is None:
                raise _strange(path, "and the patches do not fit it")
    else:
        start = base
    carried = replay([Task(patch) for patch in inner], Journey(base=start, onto=ground.tree, accept=accept))
    if base is None:
        _refuse_unproven(asks, carried, ground.doubtful)
    final = ground.tree
    for outcome in carried.outcomes:
        final = final.written(outcome.writes)
    writes = _differences(tree, final) if not carried.needs_person else {}
    placed = {there: state for path, state in writes.items() if (there := tree.way.of(path)) is not None}
    after = Placed(Overlay(tree.below, placed), tree.way, tree.moved)
    return Application(
        replay=carried,
        before=before,
        after=verify(asks, after, base),
        writes=writes,
        outside=outside,
    )


def _inside(patch: Patch, outside: Collection[bytes]) -> Patch:
    """Return the part of a patch that changes files which the tree can have."""
    changes = tuple(change for change in patch.changes if change.path not in outside)
    if len(changes) == len(patch.changes):
        return patch
    names = {path.decode("utf-8", "surrogateescape") for path in outside}
    return replace(patch, changes=changes, intents=tuple(one for one in patch.intents if one.anchor.path not in names))


def _refuse_unproven(asks: Iterable[Ask], carried: Replay, doubtful: Mapping[bytes, Footing]) -> None:
    """Refuse files that no object id knows, unless the patches leave the facts there that are on record."""
    recorded = {ask.patch.name: ask.facts for ask in asks}
    for outcome in carried.outcomes:
        for file in outcome.files:
            known = recorded[outcome.name].get(file.path, ())
            if file.path in doubtful and not file.conflicts and (not known or set(known) != set(file.facts)):
                raise _strange(file.path, f"and nothing on record proves what {outcome.name} would make of it")


def _strange(path: bytes, reason: str) -> ApplyError:
    return ApplyError(
        f"this is no file of an upstream that the series knows, {reason}",
        hint="the ladder can prove more in a repository that has the commit which the series was made for: --repo DIR",
        where=Where(file=decoded(path)),
    )


def _differences(tree: TreeReader, final: Overlay) -> dict[bytes, FileState | None]:
    return {path: state for path, state in final.changes.items() if tree.read(path) != state}


def _paths(patch: Patch) -> list[bytes]:
    return [change.path for change in patch.changes]
