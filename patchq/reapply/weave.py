"""The answer of a transplant for one span of the new upstream, and the place it speaks of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor
from patchq.model.attempt import Conflict, ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass
from patchq.syntax.anchors import Address

if TYPE_CHECKING:
    from patchq.model.anchor import Step
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


# `x = 1`, `return None` and the like stand everywhere; from this many tokens on, equality is no coincidence.
_TELLING_SIZE = 4
_LOOKED_AT = 50  # tokens: a construct has a telling word among its first ones
_BASE, _THEIRS, _OURS = range(3)


@dataclass(frozen=True, slots=True)
class Woven:
    """The new text of the span and the patch's edits in it; upstream's own text where none of them is carried."""

    text: bytes
    edits: tuple[Edit, ...] = ()

    def at_worst(self, review: ReviewClass) -> Woven:
        """Return the same text with no edit in a better class than `review`."""
        edits = (replace(edit, review=ReviewClass.worst((edit.review, review))) for edit in self.edits)
        return Woven(self.text, tuple(edits))


@dataclass(frozen=True, slots=True)
class Torn:
    """No text: what stands in the way, each at its smallest place."""

    conflicts: tuple[Conflict, ...]


Weave = Woven | Torn


@dataclass(slots=True)
class Census:
    """How often a construct stands in the whole of base, theirs and ours, by its identity; counted when asked."""

    roots: tuple[Node, Node, Node]
    _counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def _count(self, side: int, node: Node) -> int:
        key = (side, node.same)
        if key not in self._counts:
            self._counts[key] = _times(node, self.roots[side])
        return self._counts[key]

    def gained(self, node: Node) -> bool:
        """Whether upstream has a construct more often than base had."""
        return self._count(_OURS, node) > self._count(_BASE, node)

    def went_elsewhere(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has more of it than the patch leaves."""
        return node.has_size(_TELLING_SIZE) and self._count(_OURS, node) > self._count(_THEIRS, node)

    def stayed(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has it as often as before."""
        return node.has_size(_TELLING_SIZE) and self._count(_OURS, node) >= self._count(_BASE, node)


def _times(node: Node, root: Node) -> int:
    """Count a construct below `root`, looking only where a word of it stands."""
    tokens = islice((leaf.text for leaf in node.leaves()), _LOOKED_AT)
    word = max((text for text in tokens if text.isalnum()), key=len, default=b"")
    count = 0
    stack = [root]
    while stack:
        at = stack.pop()
        if at.source.find(word, at.start, at.end) >= 0:
            at = at.opened()
            count += at.same == node.same
            stack.extend(at.children)
    return count


class Reach(Enum):
    """How far from its address an edit may be looked for."""

    LIST = "in its own list"
    LINES = "anywhere in its definition, line by line"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a transplant is at work: the file, the address down to here, and the construct around it."""

    path: str
    facts: LanguageFacts
    census: Census
    address: Address = field(default_factory=Address)
    owner: Node | None = None
    reach: Reach = Reach.LIST

    def into(self, step: Step | None, container: Node) -> Spot:
        """Go down into a member of `container`, by a named step where there is one."""
        address = self.address.into(step, container, self.facts)
        return replace(self, address=address, owner=container)

    @property
    def anchor(self) -> str:
        """The address, as people read it."""
        return str(Anchor(self.path, self.address.steps))

    def edit(self, fate: EditFate, review: ReviewClass, how: str) -> Edit:
        """Note one edit at this place."""
        return Edit(fate=fate, review=review, anchor=self.anchor, how=how)

    def torn(
        self, kind: ConflictKind, reason: str, *, base: bytes = b"", theirs: bytes = b"", ours: bytes = b""
    ) -> Torn:
        """Refuse at this place."""
        return Torn((Conflict(kind=kind, reason=reason, anchor=self.anchor, base=base, theirs=theirs, ours=ours),))
