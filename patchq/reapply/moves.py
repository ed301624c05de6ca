"""Where upstream has moved the definitions that a patch changes: one proven new place each, or the reason for none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from patchq.syntax.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from patchq.syntax.definitions import Definition
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

# Bodies that functions of one file share by chance are short: of 1,587 functions in 160 files of a project 58 share one
# of less than 6 tokens (commas and brackets apart), 16 one of 6 to 14. Under another name a body has to say more.
LEAST_TOKENS = 6
LEAST_TOKENS_RENAMED = 15
# A body that upstream has changed too must still say most of what it said, and be alone with that. Of those functions
# 14 % have another one in their file that is alike by 0.5 (8 % just one, by the margin), 6 % by 0.8 (3 %): so the name
# must be the same for the lower one, and the higher one is class E.
LEAST_LIKENESS = 0.5
LEAST_LIKENESS_RENAMED = 0.8
LEAST_SAYINGS = 3
LEAST_SAYINGS_RENAMED = 5
MARGIN = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A definition of base, what the patch makes of it, and the one of ours that it has become."""

    base: Definition
    theirs: Definition
    ours: Definition
    how: str

    @property
    def renamed(self) -> bool:
        """Whether it is called differently now."""
        return self.base.name != self.ours.name


class Why(Enum):
    """Why a definition is not followed."""

    UNKNOWN = "nothing new is like it, or more than one is"
    MERGED = "upstream has made one definition of it and of others"
    ONE_WAY = "it is known where it went, but not what the patch would want there"


@dataclass(frozen=True, slots=True)
class Lost:
    """A definition that the patch changes, that upstream does not have in its place, and why it is not followed.

    `why` tells whether it is somewhere all the same, or may be in several places.
    """

    base: Definition
    reason: str
    why: Why = Why.UNKNOWN


Fate = Move | Lost


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The maps of the three sides of a case.

    `elsewhere` are definitions that upstream has added to other files, `before` what those files had in base.
    """

    base: tuple[Definition, ...]
    theirs: tuple[Definition, ...]
    ours: tuple[Definition, ...]
    elsewhere: tuple[Definition, ...] = ()
    before: tuple[Definition, ...] = ()
    files: Mapping[int, str] = field(default_factory=dict)  # of the definitions of other files, by their `id`

    def fates(self) -> Iterator[Fate]:
        """Say what became of each definition that the patch changes and that is not at its place in ours.

        Of nested ones the outer one counts; where that has gone nowhere as a whole, the inner ones that hold all of
        the patch's change are asked for one by one.
        """
        search = _Search(self)
        for definition in self.base:
            if definition.within is None:
                yield from search.fates(definition)

    def copies(self) -> Iterator[Lost]:
        """Name the definitions that upstream has both in their places and, with the body of base, in a new one."""
        new = {one.key for one in self.ours} - {one.key for one in self.base}
        here = {one.key: one for one in self.ours}
        bodies = {one.wording: one for one in self.ours if one.key in new}
        for one in self.base:
            stayed, copy = here.get(one.key), bodies.get(one.wording)
            if stayed is not None and copy is not None and stayed.wording != one.wording:
                yield Lost(one, f"`{stayed}` is there, but `{copy}` has the body that it had", Why.ONE_WAY)


def whereabouts(base: Node, theirs: Node, ours: Node, facts: LanguageFacts) -> Whereabouts:
    """Map the definitions of three roots of one forest."""
    return Whereabouts(definitions(base, facts), definitions(theirs, facts), definitions(ours, facts))


class _Search:
    """The state of one search: which definitions are at their places, and which are new."""

    def __init__(self, sides: Whereabouts) -> None:
        self.sides = sides
        known, now = ({one.key for one in side} for side in (sides.base, sides.ours))
        self.stayed = known & now
        self.new = [*(one for one in sides.ours if one.key not in known), *sides.elsewhere]
        self.old = (*sides.base, *sides.before)
        self.theirs = {one.key: one for one in sides.theirs}
        counts = [Counter(one.key for one in side) for side in (sides.base, sides.theirs)]
        self.twice = {key for count in counts for key, times in count.items() if times > 1}
        self.inner: dict[int, list[Definition]] = {}
        for one in sides.base:
            if one.within is not None:
                self.inner.setdefault(id(one.within), []).append(one)

    def fates(self, base: Definition) -> Iterator[Fate]:
        theirs = self.theirs.get(base.key)
        if theirs is not None and theirs.node.exact == base.node.exact:
            return
        inner = self.inner.get(id(base), [])
        if base.key in self.stayed:
            for one in inner:
                yield from self.fates(one)
            return
        fate = self._removed(base) if theirs is None else self._fate(base, theirs)
        if isinstance(fate, Lost) and theirs is not None and self._only_inside(base, theirs, inner):
            for one in inner:
                yield from self.fates(one)
        else:
            yield fate

    def _only_inside(self, base: Definition, theirs: Definition, inner: Sequence[Definition]) -> bool:
        """Whether the patch changes nothing of a definition but what is defined in it."""
        pairs = [(one, self.theirs[one.key]) for one in inner if one.key in self.theirs]
        changed = [(one, other) for one, other in pairs if one.node.exact != other.node.exact]
        kept = [{id(pair[side].node) for pair in changed} for side in (0, 1)]
        return bool(changed) and _shell(base.node, kept[0]) == _shell(theirs.node, kept[1])

    def _removed(self, base: Definition) -> Lost:
        """Say where a definition went that the patch removes; taking it out there could not be taken back."""
        fate = self._fate(base, base)
        if isinstance(fate, Move):
            return Lost(base, f"upstream has moved `{base}`, which the patch removes, to `{fate.ours}`", Why.ONE_WAY)
        return fate

    def _fate(self, base: Definition, theirs: Definition) -> Fate:
        if base.key in self.twice:
            return Lost(base, f"`{base}` is defined more than once")
        return self._equal(base, theirs) or self._alike(base, theirs)

    def _equal(self, base: Definition, theirs: Definition) -> Fate | None:
        """Find the new definition with the very body that the patch changes, or with the one that it makes."""
        wordings = {base.wording, theirs.wording}
        new = self._new_of_kind(base)
        equal = [one for one in new if one.wording in wordings]
        if not equal:
            return None
        if len(equal) > 1:
            return Lost(base, f"upstream has `{base}` in more than one place now: {self._listed(equal)}")
        (ours,) = equal
        rivals = [one for one in self.old if one.kind == base.kind and one is not base]
        twins = [one for one in rivals if one.wording in wordings]
        if twins:
            return Lost(
                base,
                f"`{ours}` may be `{base}` or its twin {self._listed(twins)}, whose body is the same",
                self._twins(twins),
            )
        renamed = ours.name != base.name
        if len(ours.wording) < (LEAST_TOKENS_RENAMED if renamed else LEAST_TOKENS):
            return Lost(base, f"`{ours}` has the body of `{base}`, which is too short to be known again")
        others = [one for one in new if one is not ours and one.name == base.name]
        close = [one for one in others if max(base.likeness(one), theirs.likeness(one)) >= LEAST_LIKENESS]
        if close:
            return Lost(base, f"upstream has `{base}` in more than one place now: {self._listed([ours, *close])}")
        return Move(base=base, theirs=theirs, ours=ours, how="its body is the same there")

    def _is_anothers(self, new: Definition, likely: float, base: Definition) -> bool:
        """Whether a new definition is at least as much what another one of its own name has become."""
        others = (one for one in self.old if one is not base and one.key not in self.stayed and one.name == new.name)
        return new.name != base.name and any(one.likeness(new) >= likely for one in others)

    def _went_along(self, other: Definition, new: Definition) -> bool:
        """Whether another definition that is like `new` has a new one of its own name that is more like it."""
        likely = other.likeness(new)
        return other.name != new.name and any(
            one.name == other.name and one.likeness(other) >= likely for one in self._new_of_kind(other)
        )

    def _twins(self, twins: Sequence[Definition]) -> Why:
        return Why.UNKNOWN if all(twin.key in self.stayed for twin in twins) else Why.MERGED

    def _listed(self, found: Sequence[Definition]) -> str:
        files = self.sides.files
        return ", ".join(f"`{one}` in {files[id(one)]}" if id(one) in files else f"`{one}`" for one in found)

    def _new_of_kind(self, base: Definition) -> list[Definition]:
        return [one for one in self.new if one.kind == base.kind]

    def _alike(self, base: Definition, theirs: Definition) -> Fate:
        """Find the one new definition that says most of what the patched one says, as no other does."""
        new = self._new_of_kind(base)
        likeness = {id(one): max(base.likeness(one), theirs.likeness(one)) for one in new}
        ranked = sorted(new, key=lambda one: -likeness[id(one)])
        if not ranked:
            return Lost(base, f"upstream has no `{base}` any more")
        best = ranked[0]
        likely = likeness[id(best)]
        renamed = best.name != base.name
        least, sayings = (LEAST_LIKENESS_RENAMED, LEAST_SAYINGS_RENAMED) if renamed else (LEAST_LIKENESS, LEAST_SAYINGS)
        if likely < least or (base.sayings & best.sayings).total() < sayings:
            return Lost(base, f"upstream has no `{base}` any more")
        rivals = [
            one
            for one in ranked[1:]
            if likeness[id(one)] > likely * MARGIN and (renamed or not self._is_anothers(one, likeness[id(one)], base))
        ]
        if rivals:
            return Lost(base, f"upstream has `{base}` in more than one place now: {self._listed([best, *rivals])}")
        twins = [
            one
            for one in self.old
            if one.kind == base.kind and one is not base and one.likeness(best) > likely * MARGIN
            if renamed or not self._went_along(one, best)
        ]
        if twins:
            return Lost(
                base,
                f"`{best}` may be `{base}` or {self._listed(twins)}, which says about the same",
                self._twins(twins),
            )
        return Move(base=base, theirs=theirs, ours=best, how=f"most of what it says is the same there ({likely:.0%})")


def _shell(node: Node, without: set[int]) -> list[Hashable]:
    """List the tokens and comments of `node` outside some nodes below it."""
    out: list[Hashable] = []
    stack = [node]
    while stack:
        at = stack.pop()
        if id(at) in without:
            out.append(None)
        elif at.children:
            stack.extend(reversed(at.children))
        else:
            out.append(at.exact)
    return out
