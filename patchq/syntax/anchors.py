"""Structural addresses in trees: how deep a step is named, and which nodes an address means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.anchor import Step, StepKind
from patchq.syntax.facts import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


@dataclass(frozen=True, slots=True)
class Address:
    """The named steps down to a place.

    `sealed`: a block of statements lies between the last name and here. Arguments and entries found below are those of
    some call or literal in that block and not of the name, so they add no step.
    """

    steps: tuple[Step, ...] = ()
    sealed: bool = False

    def into(self, step: Step | None, container: Node, facts: LanguageFacts) -> Address:
        """Go down into a member of `container`; `step` is its name, if it has one."""
        sealed = self.sealed or facts.seals(container)
        if step is None or (sealed and step.kind is not StepKind.NAME):
            return Address(self.steps, sealed)
        return Address((*self.steps, step))


def resolve(root: Node, steps: Sequence[Step], facts: LanguageFacts) -> tuple[Node, ...]:
    """Return every node that the address means, in source order; more than one if a name is bound more than once."""
    found: tuple[Node, ...] = (root,)
    for step in steps:
        found = tuple(hit for node in found for hit in _named(node, step, facts))
    return found


def _named(scope: Node, step: Step, facts: LanguageFacts) -> Iterator[Node]:
    """Search below `scope`, through what has no name of its own; a way in that `Address.into` takes is found again."""
    inside = facts.layout(scope) is Layout.PARTS
    stack = [(child, scope, False) for child in reversed(scope.children)] if inside else [(scope, scope, False)]
    while stack:
        node, container, sealed = stack.pop()
        signature = facts.signature(node, container) if node is not scope else None
        named = None if signature is None else signature.step
        if named is not None and not (sealed and named.kind is not StepKind.NAME):
            if _plain(named) == _plain(step):
                yield node
            continue
        seals = facts.seals(node)
        if step.kind is not StepKind.NAME and seals:
            continue
        stack.extend((child, node, sealed or seals) for child in reversed(node.children))


def _plain(step: Step) -> tuple[StepKind, str]:
    """Reduce a step to what is compared: `["a"]` and `['a']` are one entry."""
    return step.kind, step.text.replace("'", '"')
