"""The parser at work: a text that is like one it has seen is parsed where the two differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import tree_sitter

from patchq.syntax.node import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.syntax.languages import Language

_FEW = 16  # lines that are not worth a comparison


@dataclass(frozen=True, slots=True)
class _Parsed:
    source: bytes
    tree: tree_sitter.Tree


@dataclass(slots=True)
class Parses:
    """What the parser has found in the texts of one case, most of which are versions of one file."""

    _parsed: dict[str, dict[bytes, _Parsed]] = field(default_factory=dict)

    def parse(self, source: bytes, language: Language) -> tree_sitter.Tree | Unread:
        """Parse `source`; the tree is the one that the parser makes of the text alone.

        Given the tree of another version and the edits, the parser takes over what they do not touch: 1.7 ms instead of
        4.2 for a median file. Around an error it might take over more than it would find anew, so trees with errors are
        neither given nor taken. (1,005 pairs of texts, and every text of the goldens, had equal trees both ways.)
        """
        known = self._parsed.setdefault(language.facts.name, {})
        if source not in known:
            grammar = language.grammar()
            if isinstance(grammar, Unread):
                return grammar
            parser = tree_sitter.Parser(tree_sitter.Language(grammar))
            known[source] = _Parsed(source, _parse(parser, source, list(known.values())))
        return known[source].tree


def _parse(parser: tree_sitter.Parser, source: bytes, known: Sequence[_Parsed]) -> tree_sitter.Tree:
    models = [one for one in known if not one.tree.root_node.has_error]
    if models:
        model = max(models, key=lambda one: _shared(one.source, source))
        if 2 * _shared(model.source, source) > len(source):
            tree = parser.parse(source, _edited(model, source))
            if not tree.root_node.has_error:
                return tree
    return parser.parse(source)


def _edited(model: _Parsed, source: bytes) -> tree_sitter.Tree:
    """Tell a copy of a tree what has changed, from the last edit to the first, so that earlier places stay."""
    tree = model.tree.copy()
    old, new = model.source, source
    for start, old_end, new_start, new_end in reversed(list(_edits(old, new))):
        row = old.count(b"\n", 0, start)
        point = (row, start - (old.rfind(b"\n", 0, start) + 1))
        tree.edit(
            start,
            old_end,
            start + new_end - new_start,
            point,
            _behind(point, old[start:old_end]),
            _behind(point, new[new_start:new_end]),
        )
    return tree


def _behind(point: tuple[int, int], text: bytes) -> tuple[int, int]:
    """Say where a text ends that begins at `point`."""
    row, column = point
    lines = text.count(b"\n")
    return (row + lines, len(text) - (text.rfind(b"\n") + 1) if lines else column + len(text))


def _edits(old: bytes, new: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Cut two texts where they are equal at line ends: spans of old and new that differ; they need not be minimal."""
    head = _head(old, new)
    head = old.rfind(b"\n", 0, head) + 1
    tail = min(_tail(old, new), len(old) - head, len(new) - head)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    at_left = at_right = 0
    for one, other, length in _anchors(left, right):
        if one > at_left or other > at_right:
            yield head + at_left, head + one, head + at_right, head + other
        at_left, at_right = one + length, other + length
    if at_left < len(left) or at_right < len(right):
        yield head + at_left, head + len(left), head + at_right, head + len(right)


def _anchors(left: bytes, right: bytes) -> Iterator[tuple[int, int, int]]:
    """Find lines that both have once, in order, as places and length (Bram Cohen's patience diff, first step)."""
    if left.count(b"\n") < _FEW or right.count(b"\n") < _FEW:
        return
    ones, others = _once(left), _once(right)
    at = -1
    for line, place in ones.items():
        there = others.get(line, -1) if place >= 0 else -1
        if there > at:
            at = there
            yield place, there, len(line)


def _once(text: bytes) -> dict[bytes, int]:
    """Give the place of each line that occurs once; -1 for the others."""
    found: dict[bytes, int] = {}
    at = 0
    for line in text.splitlines(keepends=True):
        found[line] = -1 if line in found else at
        at += len(line)
    return found


def _shared(one: bytes, other: bytes) -> int:
    """Count the bytes that two texts begin and end with alike."""
    return min(_head(one, other) + _tail(one, other), len(one), len(other))


def _head(one: bytes, other: bytes) -> int:
    """Count the equal bytes at the start, by halves: a slice is compared as fast as memory is read."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _tail(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
