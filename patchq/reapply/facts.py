"""Facts that a carried patch leaves in a file: derived from its edits, checked later in any tree without git."""

from __future__ import annotations

import hashlib
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import Where
from patchq.model.anchor import Anchor, Fact
from patchq.patchfile.intents import parse_anchor
from patchq.reapply.texts import plain_text
from patchq.syntax.anchors import resolve
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.syntax.tokens import code_tokens, flat
from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.syntax.edits import TreeEdit
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.languages import Language
    from patchq.syntax.node import Node, Tree

# Longer texts stand in the record by their digest: a record is read by people.
_LONGEST = 300
_DIGEST = "sha256:"


class FactState(Enum):
    """What a tree says about a fact."""

    PRESENT = "present"
    ABSENT = "absent"
    DIVERGED = "diverged"
    TARGET_GONE = "target-gone"


def derive_facts(path: bytes, before: bytes, after: bytes, forest: Forest | None = None) -> tuple[Fact, ...]:
    """Say what the change before -> after leaves at which anchor of the file at `path`.

    Named members (a dict entry, a function) stand at their own anchor; everything else is the statement that holds it,
    at the nearest named place around. Files without a grammar get their added and removed lines. Each fact returned is
    true of `after`.
    """
    name = path.decode("utf-8", "surrogateescape")
    language = language_of(path)
    forest = Forest() if forest is None else forest
    trees = [None if language is None else _tree(forest, text, language) for text in (before, after)]
    if language is None or trees[0] is None or trees[1] is None:
        return _line_facts(name, before, after)
    from patchq.syntax.edits import edits  # noqa: PLC0415 - 15 ms; a hook checks facts and derives none

    by_anchor: dict[str, tuple[list[str], list[str]]] = {}
    for edit in edits(trees[0].root, trees[1].root, language.facts):
        anchor = str(Anchor(name, edit.address.steps))
        holds, lacks = by_anchor.setdefault(anchor, ([], []))
        holds.extend(_told(edit, edit.new, edit.unit_new, anchor, trees[1], language, forest))
        lacks.extend(_told(edit, edit.old, edit.unit_old, anchor, trees[0], language, forest))
    return tuple(
        Fact(
            anchor=anchor,
            holds=tuple(dict.fromkeys(holds)),
            lacks=tuple(text for text in dict.fromkeys(lacks) if not _stands(text, anchor, trees[1], language, forest)),
        )
        for anchor, (holds, lacks) in by_anchor.items()
        if holds or lacks
    )


def check_fact(fact: Fact, path: bytes, data: bytes, forest: Forest | None = None) -> FactState:
    """Look for `fact` in `data`, the text of the file at `path` (which may have moved since the fact was derived)."""
    language = language_of(path)
    forest = Forest() if forest is None else forest
    tree = None if language is None else _tree(forest, data, language)
    if language is None or tree is None:
        lines = {_line(line) for line in split_lines(data)}
        lost = any(text not in lines for text in fact.holds) or any(text in lines for text in fact.lacks)
        return FactState.ABSENT if lost else FactState.PRESENT
    steps = parse_anchor(fact.anchor, where=Where(field=fact.anchor)).steps
    places = resolve(tree.root, steps, language.facts)
    if not places:
        if not fact.holds:
            return FactState.PRESENT
        return FactState.ABSENT if resolve(tree.root, steps[:-1], language.facts) else FactState.TARGET_GONE
    if any(_stands(text, fact.anchor, tree, language, forest) for text in fact.lacks):
        return FactState.DIVERGED
    if all(_stands(text, fact.anchor, tree, language, forest) for text in fact.holds):
        return FactState.PRESENT
    return FactState.DIVERGED if steps and len(fact.holds) == 1 and _entry_like(fact) else FactState.ABSENT


def anchor_stands(anchor: Anchor, data: bytes, forest: Forest | None = None) -> bool:
    """Whether the node that `anchor` means is in `data`; in a file without a grammar only the file itself is found."""
    path = anchor.path.encode("utf-8", "surrogateescape")
    language = language_of(path)
    tree = None if language is None else _tree(Forest() if forest is None else forest, data, language)
    if language is None or tree is None:
        return not anchor.steps
    return bool(resolve(tree.root, anchor.steps, language.facts))


def _entry_like(fact: Fact) -> bool:
    """Whether the anchor is the member itself (an entry, an argument), so that other contents mean another value."""
    return fact.anchor.endswith(("]", ")"))


def _tree(forest: Forest, text: bytes, language: Language) -> Tree | None:
    tree = forest.tree(plain_text(text) or text, language)
    return None if isinstance(tree, Unread) else tree


def _told(
    edit: TreeEdit, node: Node | None, unit: Node | None, anchor: str, tree: Tree, language: Language, forest: Forest
) -> Iterable[str]:
    """Tell one side of an edit by the member itself or by its statement, whichever stands inside the anchor's place.

    What is too long for the record, or cannot be read again from one line (a block), is told by its digest.
    """
    if node is None or node.kind in tree.facts.comments:
        return ()
    content = node
    if unit is not None and not edit.named:
        places = resolve(tree.root, edit.address.steps, tree.facts)
        content = unit if any(place.start <= unit.start and unit.end <= place.end for place in places) else node
    text = flat(content, tree.facts)
    readable = len(text) <= _LONGEST and _stands(text, anchor, tree, language, forest)
    return (text if readable else _digest(_words(content, tree.facts)),)


def _words(node: Node, facts: LanguageFacts) -> tuple[str, ...]:
    """List the tokens that count; it does not matter which quotes a string has."""
    return tuple(
        leaf.word.replace("'", '"') if leaf.kind in facts.strings else leaf.word for leaf in code_tokens(node, facts)
    )


def _digest(words: Sequence[str]) -> str:
    joined = "\0".join(words).encode("utf-8", "surrogateescape")
    return f"{_DIGEST}{hashlib.sha256(joined).hexdigest()[:16]}:{len(words)}"


def _stands(text: str, anchor: str, tree: Tree, language: Language, forest: Forest) -> bool:
    """Whether the tokens of `text` stand in a row at `anchor`."""
    facts = language.facts
    steps = parse_anchor(anchor, where=Where(field=anchor)).steps
    places = resolve(tree.root, steps, facts)
    if text.startswith(_DIGEST):
        return any(_digest(_words(node, facts)) == text for place in places for node in place.walk())
    fragment = forest.tree(text.encode(), language)
    wanted = () if isinstance(fragment, Unread) else _words(fragment.root, facts)
    return bool(wanted) and any(_contains(_words(place, facts), wanted) for place in places)


def _contains(words: Sequence[str], wanted: Sequence[str]) -> bool:
    width = len(wanted)
    return any(words[at : at + width] == wanted for at in range(len(words) - width + 1))


def _line(line: bytes) -> str:
    return line.strip().decode("utf-8", "replace")


def _line_facts(name: str, before: bytes, after: bytes) -> tuple[Fact, ...]:
    from patchq.text.diff import diff  # noqa: PLC0415 - as above

    old, new = split_lines(before), split_lines(after)
    standing = {_line(line) for line in new}
    holds: dict[str, None] = {}
    lacks: dict[str, None] = {}
    for region in diff(old, new):
        holds.update((_line(line), None) for line in new[region.new_start : region.new_end] if line.strip())
        lacks.update((_line(line), None) for line in old[region.old_start : region.old_end] if line.strip())
    gone = tuple(text for text in lacks if text not in standing)
    return (Fact(anchor=f"{name}::", holds=tuple(holds), lacks=gone),) if holds or gone else ()
