"""What a patch adds beside what: members of one list that read alike but for a word or two, and the words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.syntax.edits import edits
from patchq.syntax.facts import Layout
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.syntax.strip import strip_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.syntax.edits import TreeEdit
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

Row = tuple[str, ...]

HOLE = "□"
_MOST_TOKENS = 16  # a longer head is a computation, of which one token is no name
_MOST_COLUMNS = 2
_MOST_ROWS = 24
_WORD = re.compile(r"\w|[\"'`]")
_IMPORTS = ("import", "use_", "preproc_include")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A member was added beside siblings: `rows` are the words in which each differs from it, `added` its own.

    `frame` is what they share, with holes; `kind`, `layout` and `steps` say in what kind of list, and where.
    """

    rows: tuple[Row, ...]
    added: Row
    frame: Row
    kind: str
    layout: Layout
    path: bytes
    steps: tuple[str, ...]

    @property
    def needed(self) -> int:
        """How many of the siblings a place must name to be like the patched one."""
        return min(2, len(self.rows))


def lessons(path: bytes, base: bytes, theirs: bytes) -> tuple[Lesson, ...]:
    """Learn from one file before and after a patch; nothing where it cannot be read as a tree."""
    language = language_of(path)
    if language is None:
        return ()
    forest = Forest()
    old, new = (forest.tree(text, language) for text in (base, theirs))
    if isinstance(old, Unread) or isinstance(new, Unread):
        return ()
    found: dict[Lesson, None] = {}
    changes = [edit for edit in edits(old.root, new.root, new.facts) if edit.new is not None]
    if changes:
        owners = {id(child): node for node in new.root.walk() for child in node.children}
        fresh = {edit.new.same for edit in changes if edit.new is not None}
        for edit in changes:
            for container, member in _added(edit, owners, new.facts):
                one = _lesson(container, member, fresh, edit, path, new.facts)
                if one is not None:
                    found[one] = None
    return tuple(found)


def members_of(node: Node, facts: LanguageFacts) -> tuple[Node, ...]:
    """Return what stands side by side in `node`: of a construct in parts its conditions only."""
    if facts.layout(node) is Layout.PARTS:
        return tuple(child for child in node.children if child.field == "condition" or child.child("condition"))
    segments = strip_of(node, facts).segments
    return tuple(one.member for one in segments if one.member.kind not in facts.comments)


def head_leaves(member: Node, facts: LanguageFacts) -> tuple[Node, ...]:
    """Return the tokens that tell a member from its siblings: its key, name or condition, or all before a block.

    Nothing where they are too many.
    """
    inner = member.child("key") or member.child("condition") or member.child("pattern") or member
    if "case" in inner.kind:
        inner = inner.child("value") or inner
    if inner.kind.endswith(("keyword_argument", "field_initializer")):
        inner = inner.child("name") or inner.child("field") or inner
    leaves: list[Node] = []
    stack = [inner]
    while stack:
        node = stack.pop()
        if node is not inner and node.kind in facts.blocks and node.kind != facts.wrapper:
            break
        if node.children:
            stack.extend(reversed(node.children))
        elif node.text and node.kind not in facts.comments:
            leaves.append(node)
            if len(leaves) > _MOST_TOKENS:
                return ()
    return tuple(leaves)


def head_of(member: Node, facts: LanguageFacts) -> Row:
    """Return the same as words that compare: without what formatters add, and with one kind of quotes."""
    leaves = head_leaves(member, facts)
    return tuple(word_of(leaf, facts) for leaf in leaves if leaf.word not in facts.optional)


def word_of(leaf: Node, facts: LanguageFacts) -> str:
    """Return a token as text that compares."""
    return leaf.word.replace("'", '"') if leaf.kind in facts.strings else leaf.word


def is_import(node: Node, facts: LanguageFacts) -> bool:
    """Whether a statement only brings names in: a place that lacks one of them lacks nothing."""
    return node.kind.startswith(_IMPORTS) or bool(facts.takes(node))


def is_word(token: str) -> bool:
    """Whether a token is a name, a number or a string."""
    return _WORD.match(token) is not None


def _added(edit: TreeEdit, owners: dict[int, Node], facts: LanguageFacts) -> Iterator[tuple[Node, Node]]:
    """Yield each member that an edit brings, with its list: itself, or one inside of what it replaces."""
    new = edit.new
    if new is None:
        return
    around, home = owners.get(id(new)), None
    while around is not None:
        if is_import(around, facts):
            return
        # A chain of three is two nodes, one in the other; its members are those of the outermost.
        if new in members_of(around, facts):
            home = around
        around = owners.get(id(around))
    if edit.old is None and home is not None:
        yield home, new
    if edit.old is not None and new.children and not is_import(new, facts):
        had = {one.same for one in edit.old.walk()}
        for inner in new.walk():
            yield from ((inner, member) for member in members_of(inner, facts) if member.same not in had)


def _lesson(
    container: Node, member: Node, fresh: set[int], edit: TreeEdit, path: bytes, facts: LanguageFacts
) -> Lesson | None:
    head = head_of(member, facts)
    others = [one for one in members_of(container, facts) if one is not member and one.same not in fresh]
    columns: dict[tuple[int, ...], list[Row]] = {}
    for other in others:
        tokens = head_of(other, facts)
        at = _differing(head, tokens)
        if at:
            columns.setdefault(at, []).append(tuple(tokens[index] for index in at))
    if not columns:
        return None
    at, rows = max(columns.items(), key=lambda item: (len(item[1]), -len(item[0])))
    if len(rows) > _MOST_ROWS:
        return None
    frame = tuple(HOLE if index in at else token for index, token in enumerate(head))
    added = tuple(head[index] for index in at)
    steps = tuple(map(str, edit.address.steps))
    return Lesson(tuple(dict.fromkeys(rows)), added, frame, facts.kin(container), facts.layout(container), path, steps)


def _differing(head: Sequence[str], other: Sequence[str]) -> tuple[int, ...]:
    if len(head) != len(other):
        return ()
    at = tuple(index for index, pair in enumerate(zip(head, other, strict=True)) if pair[0] != pair[1])
    named = all(is_word(head[index]) and is_word(other[index]) for index in at)
    return at if len(at) <= _MOST_COLUMNS and named else ()
