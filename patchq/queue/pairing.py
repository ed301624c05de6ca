"""Two states of a series side by side: which patch of the one is which of the other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patchq.model.change import LineKind, TextBody
from patchq.model.pairs import Pair, Placed

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from patchq.model.patch import Patch
    from patchq.model.series import Entry


def pair(left: Sequence[Entry], right: Sequence[Entry]) -> tuple[Pair, ...]:
    """Pair patches by their names, then what is left by the lines that they add and remove.

    The order is that of `right`; a patch that only `left` has stands where it stood among those that both have, as
    git-range-diff puts it.
    """
    olds = [Placed(position, entry) for position, entry in enumerate(left, 1)]
    news = [Placed(position, entry) for position, entry in enumerate(right, 1)]
    by_name = {old.entry.patch.name: old for old in olds}
    found = {new.position: by_name[new.entry.patch.name] for new in news if new.entry.patch.name in by_name}
    taken = {old.position for old in found.values()}
    by_lines: dict[Hashable, list[Placed]] = {}
    for old in reversed(olds):
        if old.position not in taken:
            by_lines.setdefault(_lines(old.entry.patch), []).append(old)
    for new in news:
        if new.position not in found and (same := by_lines.get(_lines(new.entry.patch))):
            found[new.position] = same.pop()
    taken = {old.position for old in found.values()}
    alone = [old for old in olds if old.position not in taken]
    pairs: list[Pair] = []
    for new in news:
        mate = found.get(new.position)
        while mate is not None and alone and alone[0].position < mate.position:
            pairs.append(Pair(alone.pop(0), None))
        pairs.append(Pair(mate, new))
    return (*pairs, *(Pair(old, None) for old in alone))


def _lines(patch: Patch) -> Hashable:
    """Give what a patch adds and removes, wherever; of what has no lines the body itself."""
    said: Counter[Hashable] = Counter()
    for change in patch.changes:
        if isinstance(change.body, TextBody):
            lines = (line for hunk in change.body.hunks for line in hunk.lines)
            said.update((line.kind, line.text) for line in lines if line.kind is not LineKind.CONTEXT)
        else:
            said[change.body.forward.data] += 1
    return frozenset(said.items()) or tuple(change.path for change in patch.changes)
