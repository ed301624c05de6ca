"""The answer of a transplant for one span of the new upstream, and the place it speaks of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor
from patchq.model.attempt import Conflict, ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass
from patchq.syntax.anchors import Address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.anchor import Step
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


# `x = 1`, `return None` and the like stand everywhere; from this many tokens on, equality is no coincidence.
_TELLING_SIZE = 4


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


def _everything(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop().opened()
        yield node
        stack.extend(reversed(node.children))


@dataclass(slots=True)
class Census:
    """How often each construct stands in the whole of base, theirs and ours, by its identity; counted when asked."""

    roots: tuple[Node, Node, Node]
    _counts: tuple[Counter[int], Counter[int], Counter[int]] | None = None

    def _count(self) -> tuple[Counter[int], Counter[int], Counter[int]]:
        if self._counts is None:
            base, theirs, ours = (Counter(node.same for node in _everything(root)) for root in self.roots)
            self._counts = base, theirs, ours
        return self._counts

    def gained(self, node: Node) -> bool:
        """Whether upstream has a construct more often than base had."""
        base, _, ours = self._count()
        return ours[node.same] > base[node.same]

    def went_elsewhere(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has more of it than the patch leaves."""
        _, theirs, ours = self._count()
        return node.size >= _TELLING_SIZE and ours[node.same] > theirs[node.same]

    def stayed(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has it as often as before."""
        base, _, ours = self._count()
        return node.size >= _TELLING_SIZE and ours[node.same] >= base[node.same]


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
