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


@dataclass(frozen=True, slots=True)
class Census:
    """How often each construct stands in the whole of base, theirs and ours, by its identity."""

    base: Counter[int]
    theirs: Counter[int]
    ours: Counter[int]

    @staticmethod
    def of(base: Node, theirs: Node, ours: Node) -> Census:
        """Count everything below three roots."""
        return Census(*(Counter(node.same for node in root.walk()) for root in (base, theirs, ours)))

    def went_elsewhere(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has more of it than the patch leaves."""
        return node.size >= _TELLING_SIZE and self.ours[node.same] > self.theirs[node.same]

    def stayed(self, node: Node) -> bool:
        """Whether ours, which has lost a construct of base from its list, has it as often as before."""
        return node.size >= _TELLING_SIZE and self.ours[node.same] >= self.base[node.same]


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
