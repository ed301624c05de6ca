"""What a case does not turn on: bodies and lists that nobody touched, or not the patch, which need no reading."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import tree_sitter

    from patchq.syntax.facts import LanguageFacts

Place = tuple[tuple[bytes, ...], bytes]  # the names down to a definition, and its body

# Shorter ones are read as fast as they are compared.
_LEAST_BYTES = 40
# Nesting that is looked through for untouched parts; what lies deeper is read.
_LEVELS = 40
_WIDEST = 70_000  # 30,000 members and what separates them


@dataclass(frozen=True, slots=True)
class Clips:
    """What a case does not turn on: texts that nobody touched, places out of the patch's reach, base's bodies there."""

    untouched: frozenset[bytes] = frozenset()
    places: frozenset[Place] = frozenset()
    quiet: frozenset[bytes] = frozenset()

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.untouched or self.places)


def untouched(roots: Sequence[tree_sitter.Node], sources: Sequence[bytes], facts: LanguageFacts) -> frozenset[bytes]:
    """Return the texts of blocks and lists that stand equally often in each of `sources`, the outermost ones.

    Two nodes with one of these texts are the same construct, so one number for each is enough; and since each text has
    as many of them, whatever is counted of the texts and compared is the same without them. The work follows what
    differs: inside an untouched body nothing is looked at.
    """
    found: set[bytes] = set()
    fronts: list[list[tree_sitter.Node]] = [[root] for root in roots]
    for _ in range(_LEVELS):
        levels = [
            [(source[node.start_byte : node.end_byte], node) for above in front for node in _nearest(above, facts)]
            for front, source in zip(fronts, sources, strict=True)
        ]
        if not any(levels):
            break
        counts = [Counter(text for text, _ in level) for level in levels]
        found.update(text for text, count in counts[0].items() if all(other[text] == count for other in counts))
        fronts = [[node for text, node in level if text not in found] for level in levels]
    return frozenset(found)


def out_of_reach(
    roots: Sequence[tree_sitter.Node], sources: Sequence[bytes], facts: LanguageFacts
) -> tuple[frozenset[Place], frozenset[bytes]]:
    """Return the places of bodies that the patch leaves alone, in base and in ours, and base's bodies among them.

    `roots` are those of base, theirs and ours. A definition is known by its names; of one that the patch leaves as it
    is, nothing is carried, whatever upstream has made of it. Names that stand more than once are left out.
    """
    bodies = [_bodies(root, source, facts) for root, source in zip(roots, sources, strict=True)]
    base, theirs, ours = bodies
    alone = {path for path, body in base.items() if path in ours and body is not None and theirs.get(path) == body}
    places = {(path, body) for side in (base, ours) for path in alone if (body := side[path]) is not None}
    return frozenset(places), frozenset(body for path in alone if (body := base[path]) is not None)


def reached(root: tree_sitter.Node, source: bytes, places: frozenset[Place], facts: LanguageFacts) -> frozenset[int]:
    """Return where in a text the bodies of `places` begin, the outermost ones."""
    found: set[int] = set()
    stack: list[tuple[tree_sitter.Node, tuple[bytes, ...]]] = [(root, ())] if places else []
    while stack:
        node, path = stack.pop()
        for name, body in _definitions(node, facts):
            if ((*path, name), source[body.start_byte : body.end_byte]) in places:
                found.add(body.start_byte)
            else:
                stack.append((body, (*path, name)))
    return frozenset(found)


def _bodies(root: tree_sitter.Node, source: bytes, facts: LanguageFacts) -> dict[tuple[bytes, ...], bytes | None]:
    """Give the body of each definition by its names; None where the names are not its own or the parser was lost."""
    found: dict[tuple[bytes, ...], bytes | None] = {}
    stack: list[tuple[tree_sitter.Node, tuple[bytes, ...]]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        for name, body in _definitions(node, facts):
            place = (*path, name)
            twice = place in found or body.has_error
            found[place] = None if twice else source[body.start_byte : body.end_byte]
            stack.append((body, place))
    return found


def _definitions(above: tree_sitter.Node, facts: LanguageFacts) -> Iterator[tuple[bytes, tree_sitter.Node]]:
    """Yield name and body of the definitions below a node that lie in no other one."""
    stack = [above]
    while stack:
        for child in _children(stack.pop()):
            if child.end_byte - child.start_byte < _LEAST_BYTES or child.type in facts.lists:
                continue
            body, name = child.child_by_field_name("body"), child.child_by_field_name("name")
            if body is not None and name is not None and name.text is not None and is_part(body, facts):
                yield name.text, body
            else:
                stack.append(child)


def is_part(node: tree_sitter.Node, facts: LanguageFacts) -> bool:
    """Say whether a node is a definition, a body or a list, long enough to count."""
    kind = node.type
    if kind in {facts.root, facts.wrapper}:
        return False
    if not (kind in facts.blocks or kind in facts.lists or kind in facts.wrapped):
        return False
    return node.end_byte - node.start_byte >= _LEAST_BYTES


def _nearest(above: tree_sitter.Node, facts: LanguageFacts) -> Iterator[tree_sitter.Node]:
    """Yield the bodies and lists below a node that lie in no other one."""
    stack = [above]
    while stack:
        for child in _children(stack.pop()):
            if child.end_byte - child.start_byte < _LEAST_BYTES:
                continue
            if is_part(child, facts):
                yield child
            else:
                stack.append(child)


def _children(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """List the children of a node; of so wide a one that it is not read as a tree, none."""
    return node.children if node.child_count <= _WIDEST else []


def name_of(definition: tree_sitter.Node) -> tree_sitter.Node | None:
    """Return the one token that names a definition; None where its name is more than that, or it has no body."""
    name, body = definition.child_by_field_name("name"), definition.child_by_field_name("body")
    return name if name is not None and body is not None and not name.child_count else None
