"""The map of a file's definitions: each with its address, its body, and identities that outlive a move or a rename."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor, StepKind
from patchq.syntax.anchors import Address
from patchq.syntax.facts import Order
from patchq.syntax.tokens import code_tokens

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from patchq.model.anchor import Step
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

# What a grammar calls the contents of a function, class or entry, of a constant, and of an assignment.
_BODIES = ("body", "value", "right")
# `pass`, `return x` and `else` say nothing of where they come from.
_TELLING_SIZE = 3
_OWN_NAME = -1


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """A function, class, assigned name or dict entry: `node` in `container`, at the address `steps`.

    `key` tells it from all others of its file, so that equal keys of two files mean the same definition. `within` is
    the definition around it. (No slots: the identities are computed when they are asked for, and kept.)
    """

    steps: tuple[Step, ...]
    key: Hashable
    kind: str
    node: Node
    container: Node
    body: Node
    within: Definition | None
    facts: LanguageFacts

    @property
    def name(self) -> Step:
        """The last step: what it is called where it stands."""
        return self.steps[-1]

    def __str__(self) -> str:
        """Write the address as people do."""
        return str(Anchor("", self.steps)).removeprefix("::")

    @cached_property
    def wording(self) -> tuple[int, ...]:
        """The tokens of the body, without formatting and comments; its own name is one token, whatever it is."""
        own = self.name.text
        return tuple(_OWN_NAME if leaf.word == own else leaf.same for leaf in code_tokens(self.body, self.facts))

    @cached_property
    def sayings(self) -> Counter[Hashable]:
        """The statements (or entries) of the body and the heads of its compound ones, wherever they are nested."""
        return Counter(_sayings(self.body, self.facts))

    def likeness(self, other: Definition) -> float:
        """Dice's coefficient of what the two bodies say, 0 to 1."""
        if self.wording == other.wording:
            return 1.0
        both = self.sayings.total() + other.sayings.total()
        return 2 * (self.sayings & other.sayings).total() / both if both else 0.0


@dataclass(frozen=True, slots=True)
class _Here:
    """A node on its way down: what it stands in, and what that stands in."""

    node: Node
    container: Node
    owner: Node | None
    address: Address
    within: Definition | None


def definitions(root: Node, facts: LanguageFacts) -> tuple[Definition, ...]:
    """List the definitions of a file in source order; one around others comes before them.

    Local variables are none, and arguments are not; functions and classes inside a function are.
    """
    found: list[Definition] = []
    stack = [_Here(child, root, None, Address(), None) for child in reversed(root.children)]
    while stack:
        here = stack.pop()
        node, container = here.node, here.container
        if not node.children:
            continue
        made = _definition(here, facts)
        within = here.within if made is None else made
        if made is not None:
            found.append(made)
            address = Address(made.steps)
        else:
            signature = facts.signature(node, container)
            address = here.address.into(None if signature is None else signature.step, container, facts)
        stack.extend(_Here(child, node, container, address, within) for child in reversed(node.children))
    return tuple(found)


def _definition(here: _Here, facts: LanguageFacts) -> Definition | None:
    node, container = here.node, here.container
    signature = facts.signature(node, container)
    step = None if signature is None else signature.step
    if signature is None or step is None or step.kind is StepKind.ARGUMENT:
        return None
    below = here.address.into(step, container, facts)
    if below.steps == here.address.steps:
        return None
    # A variable inside a function has a name too, but its place among the statements means something.
    if node.kind != facts.wrapper and facts.order(container, here.owner)(node) is Order.ORDERED:
        return None
    inner, body = _parts(node, facts)
    if body is None:
        return None
    return Definition(
        steps=below.steps,
        key=(below.steps, inner.kind, signature.key),
        kind=inner.kind,
        node=node,
        container=container,
        body=body,
        within=here.within,
        facts=facts,
    )


def _parts(node: Node, facts: LanguageFacts) -> tuple[Node, Node | None]:
    """Find the construct that is meant, inside its decorators or its statement, and its contents."""
    inner = (node.child("definition") if node.kind == facts.wrapper else None) or node
    if len(inner.children) == 1:
        inner = inner.children[0]
    body = next((body for field in _BODIES if (body := inner.child(field)) is not None), None)
    if body is None and inner.children:
        body = inner.children[-1].child("body")  # a template's
    return inner, body


def _sayings(node: Node, facts: LanguageFacts) -> Iterator[Hashable]:
    if node.kind in facts.lists or node.kind in facts.blocks:
        for child in node.children:
            yield from _sayings(child, facts)
        return
    if not _holds_block(node, facts):
        if node.kind not in facts.comments and node.has_size(_TELLING_SIZE):
            yield node.same
        return
    head = tuple(child.same for child in node.children if not _holds_block(child, facts))
    if head:
        yield (node.kind, head)
    for child in node.children:
        if _holds_block(child, facts):
            yield from _sayings(child, facts)


def _holds_block(node: Node, facts: LanguageFacts) -> bool:
    if node.kind in facts.blocks:
        return True
    inner = (child for child in node.children if child.children and child.kind not in facts.lists)
    return any(_holds_block(child, facts) for child in inner)
