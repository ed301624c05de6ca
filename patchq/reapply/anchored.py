"""The anchored rung: edits found again by their structural address and neighbours, whatever the lines look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Applied, Attempt, Case, Conflicted, Declined, Evidence
from patchq.model.verdict import Rung
from patchq.reapply.paragraphs import by_paragraph
from patchq.reapply.texts import like, plain_text
from patchq.reapply.transplant import transplant
from patchq.reapply.weave import Census, Reach, Spot, Torn, Woven
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.text.prose import Style, style_of

if TYPE_CHECKING:
    from patchq.syntax.node import Tree


_REACH = {Rung.ANCHORED: Reach.LIST, Rung.STRUCTURAL: Reach.LINES}


def anchored(case: Case, forest: Forest | None = None) -> Attempt:
    """Carry the change of one file by transplanting its edit script between trees.

    A file without a grammar, or that cannot be read as a tree, is carried by its paragraphs or lines. Declines where
    the patch changes the layout only. Line ends are upstream's: a file that ends all its lines with CRLF is read
    without the CR and given back with it.
    """
    return by_tree(case, Rung.ANCHORED, forest)


def by_tree(case: Case, rung: Rung, forest: Forest | None = None) -> Attempt:
    """Transplant the change of one file between trees, as far from the addresses as the rung may look."""
    language = language_of(case.path)
    if language is None:
        return by_paragraph(case, style_of(case.path))
    forest = Forest() if forest is None else forest
    trees: list[Tree] = []
    for text in (case.base, case.theirs, case.ours):
        plain = plain_text(text)
        if plain is None:
            return Declined("the line ends are mixed")
        tree = forest.tree(plain, language)
        if isinstance(tree, Unread):
            attempt = by_paragraph(case, Style.LINES)
            return attempt if isinstance(attempt, Applied) else Declined(tree.reason)
        trees.append(tree)
    base, theirs, ours = (tree.root for tree in trees)
    if base.exact == theirs.exact:
        return Declined("the patch changes white space only, which a tree does not see")
    name = case.ours_path.decode("utf-8", "surrogateescape")
    spot = Spot(name, language.facts, Census((base, theirs, ours)), reach=_REACH[rung])
    woven = transplant(base, theirs, ours, spot, language.facts)
    match woven:
        case Torn(conflicts):
            return Conflicted(conflicts)
        case Woven(text, edits):
            return Applied(like(text, case.ours), Evidence(rung=rung, edits=edits))
