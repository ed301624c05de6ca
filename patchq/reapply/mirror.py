"""Copies of a sibling entry: kept equal by intent, noticed without one, proposed on import."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor, Mirror, StepKind
from patchq.reapply.indent import reindent
from patchq.reapply.texts import like, plain_text
from patchq.syntax.anchors import resolve
from patchq.syntax.edits import edits
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.syntax.strip import strip_of
from patchq.syntax.tokens import flat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.model.anchor import Step
    from patchq.model.attempt import Case
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node, Tree

# `12: True` beside `10: True` is no copy; `12: [6, 8]` beside `10: [6, 8]` is.
_TELLING_SIZE = 3


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The case to carry: with `changed`, its theirs has the sibling's new value. `notes` say so to people."""

    case: Case
    notes: tuple[str, ...] = ()
    changed: bool = False


def follow_mirrors(case: Case, mirrors: Sequence[Mirror], forest: Forest | None = None) -> Mirrored:
    """Copy each mirrored entry anew: in `theirs`, where its sibling has another value in `ours`.

    The ladder then carries and proves the new value as if the patch had been written with it. Mirrors whose nodes
    cannot be found are left as they are, with a note.
    """
    notes: list[str] = []
    changed = False
    for mirror in mirrors:
        step = _follow(case, mirror, forest)
        case, changed = step.case, changed or step.changed
        notes.extend(step.notes)
    return Mirrored(case, tuple(notes), changed)


def _follow(case: Case, mirror: Mirror, forest: Forest | None) -> Mirrored:
    trees = _trees(case.path, (case.theirs, case.ours), forest)
    if trees is None:
        return Mirrored(case, (f"Mirror: {mirror.anchor}: this file cannot be read as a tree",))
    theirs, ours = trees
    steps = mirror.anchor.steps
    sibling_steps = (*steps[:-1], mirror.sibling)
    target = _only(theirs, steps)
    old, new = _only(theirs, sibling_steps), _only(ours, sibling_steps)
    if target is None or old is None:
        return Mirrored(case, (f"Mirror: {mirror.anchor}: not found in the patched file; kept as written",))
    if new is None:
        return Mirrored(case, (f"{mirror.sibling}, which {mirror.anchor.steps[-1]} copies, is gone upstream",))
    target, old, new = (_value(node) for node in (target, old, new))
    if old.same == new.same:
        return Mirrored(case)
    facts = theirs.facts
    if target.same != old.same:
        return Mirrored(
            case, (f"{mirror.anchor.steps[-1]} is no copy of {mirror.sibling} in the patch; kept as written",)
        )
    text = reindent(new, facts.margin(new.source, new.start), facts.margin(target.source, target.start), facts)
    source = theirs.source
    adapted = source[: target.start] + text + source[target.end :]
    note = f"copied {mirror.sibling}, which upstream has changed: {_brief(old, facts)} -> {_brief(new, facts)}"
    return Mirrored(replace(case, theirs=like(adapted, case.theirs)), (note,), changed=True)


def stale_copies(case: Case, forest: Forest | None = None) -> tuple[str, ...]:
    """Say which added entries copy a sibling that upstream has changed; a note each."""
    if case.ours == case.base:
        return ()
    trees = _trees(case.path, (case.base, case.theirs, case.ours), forest)
    if trees is None:
        return ()
    base, theirs, ours = trees
    notes = []
    for steps, sibling in _copies(base, theirs):
        old, new = _only(theirs, (*steps[:-1], sibling)), _only(ours, (*steps[:-1], sibling))
        if old is None or new is None or _value(old).same == _value(new).same:
            continue
        was, now = _brief(_value(old), theirs.facts), _brief(_value(new), theirs.facts)
        notes.append(f"{steps[-1]} copies {sibling}, which upstream has changed since: {was} -> {now}; kept {was}")
    return tuple(notes)


def is_copy(mirror: Mirror, path: bytes, data: bytes, forest: Forest) -> bool | None:
    """Say whether the mirrored entry in `data`, the text of the file at `path`, has its sibling's value.

    None where one of the two is not there.
    """
    trees = _trees(path, (data,), forest)
    if trees is None:
        return None
    steps = mirror.anchor.steps
    target, sibling = _only(trees[0], steps), _only(trees[0], (*steps[:-1], mirror.sibling))
    return None if target is None or sibling is None else _value(target).same == _value(sibling).same


def propose_mirrors(path: bytes, base: bytes, theirs: bytes, forest: Forest | None = None) -> tuple[Mirror, ...]:
    """Find added dict entries whose value equals that of a neighbour; nearest one first in the same literal."""
    trees = _trees(path, (base, theirs), forest)
    if trees is None:
        return ()
    name = path.decode("utf-8", "surrogateescape")
    return tuple(Mirror(Anchor(name, steps), sibling) for steps, sibling in _copies(*trees))


def _copies(base: Tree, theirs: Tree) -> Iterator[tuple[tuple[Step, ...], Step]]:
    facts = base.facts
    for edit in edits(base.root, theirs.root, facts):
        steps = edit.address.steps
        if edit.new is None or not edit.named or steps[-1].kind is not StepKind.ENTRY:
            continue
        value = _value(edit.new)
        if value is edit.new or value.size < _TELLING_SIZE or len(resolve(theirs.root, steps, facts)) != 1:
            continue
        container = next((node for node in theirs.root.walk() if edit.new in node.children), None)
        siblings = () if container is None else strip_of(container, facts).segments
        at = next((i for i, segment in enumerate(siblings) if segment.member is edit.new), 0)
        for segment in (*reversed(siblings[:at]), *siblings[at + 1 :]):
            signature = None if container is None else facts.signature(segment.member, container)
            if signature is not None and signature.step is not None and _value(segment.member).same == value.same:
                yield steps, signature.step
                break


def _trees(path: bytes, texts: Sequence[bytes], forest: Forest | None) -> tuple[Tree, ...] | None:
    language = language_of(path)
    if language is None:
        return None
    forest = Forest() if forest is None else forest
    trees: list[Tree] = []
    for text in texts:
        tree = forest.tree(plain_text(text) or text, language)
        if isinstance(tree, Unread):
            return None
        trees.append(tree)
    return tuple(trees)


def _only(tree: Tree, steps: Sequence[Step]) -> Node | None:
    found = resolve(tree.root, steps, tree.facts)
    return found[0] if len(found) == 1 else None


def _value(node: Node) -> Node:
    return node.child("value") or node


def _brief(node: Node, facts: LanguageFacts) -> str:
    text = flat(node, facts)
    return textwrap.shorten(text, 60, placeholder="…")
