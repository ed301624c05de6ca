"""The answer of a transplant for one span of the new upstream, and the place it speaks of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor, Step
from patchq.model.attempt import Conflict, ConflictKind, Edit, EditFate
from patchq.model.verdict import ReviewClass

if TYPE_CHECKING:
    from patchq.syntax.node import Node


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
class Spot:
    """Where a transplant is at work: the file, the named steps down to here, and the construct around it."""

    path: str
    steps: tuple[Step, ...] = ()
    owner: Node | None = None

    def into(self, step: Step | None, owner: Node | None) -> Spot:
        """Go down one level, by a named step where there is one."""
        return Spot(self.path, self.steps if step is None else (*self.steps, step), owner)

    @property
    def anchor(self) -> str:
        """The address, as people read it."""
        return str(Anchor(self.path, self.steps))

    def edit(self, fate: EditFate, review: ReviewClass, how: str) -> Edit:
        """Note one edit at this place."""
        return Edit(fate=fate, review=review, anchor=self.anchor, how=how)

    def torn(
        self, kind: ConflictKind, reason: str, *, base: bytes = b"", theirs: bytes = b"", ours: bytes = b""
    ) -> Torn:
        """Refuse at this place."""
        return Torn((Conflict(kind=kind, reason=reason, anchor=self.anchor, base=base, theirs=theirs, ours=ours),))
