"""Places in a file that name the siblings of what a patch adds, side by side, and not what it adds."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from patchq.reapply.siblings import HOLE, head_leaves, head_of, is_import, is_word, members_of, word_of
from patchq.syntax.anchors import Address
from patchq.syntax.facts import Layout
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.reapply.siblings import Lesson, Row
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

_SPAN = 4_000  # bytes within which a list has to name two siblings
_NEAR = frozenset({Layout.CHAIN, Layout.PARTS})
_MOST_NEAR = 200  # tokens around a place that are looked through for what it is said to lack


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A list that names `found` of a lesson's siblings among `count` members, at `line`; `text` are those members.

    `missing` is the member that it lacks, `gained` the patch's words in it. `statement` is the source around it, for
    who weighs it.
    """

    lesson: Lesson
    line: int
    steps: tuple[str, ...]
    found: tuple[Row, ...]
    count: int
    frame: Row
    missing: str
    gained: Row
    kind: str
    layout: Layout
    text: str
    statement: str


@dataclass(frozen=True)
class Sieve:
    """A quick look at bytes: only a file that names enough siblings of a lesson near each other is parsed."""

    lessons: tuple[Lesson, ...]

    def passing(self, data: bytes) -> tuple[Lesson, ...]:
        """Return the lessons for which `data` is worth parsing."""
        return tuple(
            one
            for one, words, pattern in self._patterns
            if sum(word in data for word in words) >= one.needed and _near(pattern, data, one.needed)
        )

    @cached_property
    def _patterns(self) -> tuple[tuple[Lesson, tuple[bytes, ...], re.Pattern[bytes]], ...]:
        return tuple((lesson, words, _pattern(words)) for lesson in self.lessons for words in (_words(lesson),))


def places(path: bytes, data: bytes, lessons: Sequence[Lesson]) -> tuple[Place, ...]:
    """Find the places of one file; nothing where it cannot be read as a tree."""
    language = language_of(path)
    if language is None or not lessons:
        return ()
    tree = Forest().tree(data, language)
    if isinstance(tree, Unread):
        return ()
    pattern = _pattern(sorted({word for one in lessons for word in _words(one)}, key=len, reverse=True))
    hits = [hit.start() for hit in pattern.finditer(data)]
    return tuple(_Search(tree.facts, tuple(lessons), hits).below(tree.root))


@dataclass(frozen=True, slots=True)
class _At:
    """Where the walk is: the address, the nearest construct around in which conditions are joined, the statement."""

    node: Node
    owner: Node | None
    address: Address
    near: Node
    statement: Node


@dataclass(frozen=True, slots=True)
class _Search:
    facts: LanguageFacts
    lessons: tuple[Lesson, ...]
    hits: Sequence[int]

    def below(self, root: Node) -> Iterator[Place]:
        stack = [_At(root, None, Address(), root, root)]
        while stack:
            at = stack.pop()
            node = at.node
            if is_import(node, self.facts):
                continue
            layout = self.facts.layout(node)
            if not self._is_link(at):
                yield from self._here(at, layout)
            below = []
            for child in node.children:
                # Trees are built as they are looked into: most of a file never is.
                if not self._worth(child) or not child.children:
                    continue
                signature = self.facts.signature(child, node)
                address = at.address.into(None if signature is None else signature.step, node, self.facts)
                lines = layout is Layout.LINES
                near = at.near if layout in _NEAR and not lines and at.near is not root else child
                below.append(_At(child, node, address, near, child if lines else at.statement))
            stack.extend(reversed(below))

    def _worth(self, node: Node) -> bool:
        count = bisect_left(self.hits, node.end) - bisect_left(self.hits, node.start)
        return count >= min(lesson.needed for lesson in self.lessons)

    def _is_link(self, at: _At) -> bool:
        """Whether a node is a link of the chain around it, whose members it shares."""
        chain = at.owner is not None and self.facts.layout(at.node) is self.facts.layout(at.owner) is Layout.CHAIN
        return chain and at.owner is not None and at.node not in members_of(at.owner, self.facts)

    def _here(self, at: _At, layout: Layout) -> Iterator[Place]:
        members = members_of(at.node, self.facts)
        if not members:
            return
        heads = [head_of(member, self.facts) for member in members]
        for lesson in self.lessons:
            groups: dict[Row, dict[Row, Node]] = {}
            for member, head in zip(members, heads, strict=True):
                for row in lesson.rows:
                    frame = tuple(HOLE if token in row else token for token in head)
                    if HOLE in frame:
                        groups.setdefault(frame, {}).setdefault(row, member)
            if not groups:
                continue
            frame, group = max(groups.items(), key=lambda item: (len(item[1]), item[0] == lesson.frame))
            alone = len(lesson.rows) == 1 and (frame != lesson.frame or layout is not lesson.layout)
            if len(group) < lesson.needed or alone or self._has(at.near, heads, lesson):
                continue
            row, first = next(iter(group.items()))
            source = at.node.source
            yield Place(
                lesson=lesson,
                line=source.count(b"\n", 0, first.start) + 1,
                steps=tuple(map(str, at.address.steps)),
                found=tuple(group),
                count=sum(bool(head) for head in heads) or len(members),
                frame=frame,
                missing=_written(first, self.facts, _swapped(row, lesson)),
                gained=tuple(new for old, new in _swapped(row, lesson).items() if old in head_of(first, self.facts)),
                kind=self.facts.kin(at.node),
                layout=layout,
                text=_told(list(group.values()), self.facts, layout),
                statement=at.statement.text[:400].decode("utf-8", "replace"),
            )

    def _has(self, near: Node, heads: Sequence[Row], lesson: Lesson) -> bool:
        added = set(lesson.added)
        if any(added & set(head) for head in heads):
            return True
        seen = 0
        stack = [near]
        while stack and seen < _MOST_NEAR:
            node = stack.pop()
            if node is not near and node.kind in self.facts.blocks:
                continue
            if node.children:
                stack.extend(reversed(node.children))
                continue
            seen += 1
            if node.word in added:
                return True
        return False


def _swapped(row: Row, lesson: Lesson) -> Mapping[str, str]:
    return dict(zip(row, lesson.added, strict=True))


def _told(members: Sequence[Node], facts: LanguageFacts, layout: Layout) -> str:
    joined = " … " if layout in {Layout.CHAIN, Layout.PARTS, Layout.LINES} else ", "
    return joined.join(_written(member, facts, {}) for member in members)


def _written(member: Node, facts: LanguageFacts, swapped: Mapping[str, str]) -> str:
    """Write the head of a member on one line, some words for others."""
    out: list[str] = []
    end = 0
    for leaf in head_leaves(member, facts):
        word = word_of(leaf, facts)
        out += (" " if out and leaf.start > end else "", swapped.get(word, word))
        end = leaf.end
    return "".join(out)


def _words(lesson: Lesson) -> tuple[bytes, ...]:
    # Of a string its inside: quotes differ from file to file.
    words = {token.strip("\"'`").encode("utf-8", "surrogateescape") for row in lesson.rows for token in row}
    return tuple(sorted(filter(None, words), key=len, reverse=True))


def _pattern(words: Sequence[bytes]) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!\w)(?<!\d\.)(?:" + b"|".join(map(re.escape, words)) + rb")(?!\w)(?!\.\d)")


def _near(pattern: re.Pattern[bytes], data: bytes, needed: int) -> bool:
    last: dict[bytes, int] = {}
    for hit in pattern.finditer(data):
        last[hit[0]] = hit.start()
        if len([at for at in last.values() if hit.start() - at <= _SPAN]) >= needed:
            return True
    return False


def is_telling(row: Row) -> bool:
    """Whether words name something by themselves, as a bare number does not."""
    return any(is_word(word) and any(char.isalpha() for char in word) and len(word) > 2 for word in row)  # noqa: PLR2004
