"""The structural addresses of the edits of a case: the innermost definition that each of them changes."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from patchq.reapply.texts import plain_text
from patchq.syntax.definitions import definitions
from patchq.syntax.languages import language_of
from patchq.syntax.node import Tree
from patchq.syntax.parse import Forest
from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from patchq.reapply.pieces import Pieces
    from patchq.syntax.definitions import Definition
    from patchq.syntax.languages import Language


def addresses(cut: Pieces) -> tuple[str | None, ...]:
    """Name what each edit is in (`Class.method`), in order; None at the margin of the file, or without a grammar."""
    language = language_of(cut.case.path)
    nothing = (None,) * len(cut.edits)
    if language is None:
        return nothing
    base, theirs = plain_text(cut.case.base), plain_text(cut.case.theirs)
    if base is None or theirs is None:
        return nothing
    forest = Forest()
    forest.settle(base, theirs, base, language)
    sides = [_Side(text, language, forest) for text in (base, theirs)]
    return tuple(
        sides[1].at(cut.theirs.telling(piece.new)) if piece.new else sides[0].at(cut.base.telling(piece.old))
        for piece in cut.edits
    )


class _Side:
    """One text: where its lines begin, and its definitions."""

    __slots__ = ("_defined", "_starts")

    def __init__(self, text: bytes, language: Language, forest: Forest) -> None:
        """Read a text with LF line ends."""
        tree = forest.tree(text, language)
        lines = split_lines(text)
        self._starts = [0, *accumulate(map(len, lines))]
        self._starts = [
            start + len(line) - len(line.lstrip()) for start, line in zip(self._starts, lines, strict=False)
        ]
        self._defined: tuple[Definition, ...] = ()
        if isinstance(tree, Tree):
            self._defined = definitions(tree.root, language.facts)

    def at(self, row: int) -> str | None:
        """Name the innermost definition around the first token of a row."""
        start = self._starts[row]
        around = [one for one in self._defined if one.node.start <= start < one.node.end]
        return str(min(around, key=lambda one: one.node.end - one.node.start)) if around else None
