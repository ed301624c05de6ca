"""The anchored rung: edits found again by their structural address and neighbours, whatever the lines look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor
from patchq.model.attempt import Applied, Attempt, Case, Conflict, Conflicted, ConflictKind, Declined, Evidence
from patchq.model.verdict import Rung
from patchq.reapply.members import REMOVED_TOO
from patchq.reapply.moves import Lost, Why, whereabouts
from patchq.reapply.paragraphs import by_paragraph
from patchq.reapply.texts import like, plain_text
from patchq.reapply.transplant import transplant
from patchq.reapply.weave import Census, Reach, Spot, Torn, Woven
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest
from patchq.text.prose import Style, style_of

if TYPE_CHECKING:
    from patchq.syntax.languages import Language
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
    if language_of(case.path) is None:
        return by_paragraph(case, style_of(case.path))
    forest = Forest() if forest is None else forest
    read = sides(case, forest)
    if isinstance(read, Unread):
        attempt = by_paragraph(case, Style.LINES)
        return attempt if isinstance(attempt, Applied) else Declined(read.reason)
    if isinstance(read, Declined):
        return read
    language, trees = read
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
            if any(edit.how == REMOVED_TOO for edit in edits):
                moved = _moved_instead(case, trees, spot, forest)
                if moved:
                    return Conflicted(moved)
            return Applied(like(text, case.ours), Evidence(rung=rung, edits=edits))


def misses(trees: tuple[Tree, Tree, Tree]) -> bool:
    """Whether a definition that the patch changes is not in its place upstream."""
    base, theirs, ours = (tree.root for tree in trees)
    return any(True for _ in whereabouts(base, theirs, ours, trees[0].facts).fates())


def _moved_instead(case: Case, trees: tuple[Tree, Tree, Tree], spot: Spot, forest: Forest) -> tuple[Conflict, ...]:
    """Refuse where the patch removes definitions that upstream has not removed, but moved and maybe changed."""
    if not misses(trees):
        return ()
    read = sides(case, forest.whole())  # a move can lead into what the case does not turn on, so all is read
    if isinstance(read, Declined | Unread):
        return ()
    base, theirs, ours = (tree.root for tree in read[1])
    fates = whereabouts(base, theirs, ours, spot.facts).fates()
    return tuple(
        Conflict(
            kind=ConflictKind.AMBIGUOUS,
            reason=fate.reason,
            anchor=str(Anchor(spot.path, fate.base.steps)),
            base=fate.base.node.text,
        )
        for fate in fates
        if isinstance(fate, Lost) and fate.why is Why.ONE_WAY
    )


def sides(case: Case, forest: Forest) -> tuple[Language, tuple[Tree, Tree, Tree]] | Declined | Unread:
    """Read base, theirs and ours, without their CR, as trees."""
    language = language_of(case.path)
    if language is None:
        return Declined("no grammar for files of this kind")
    trees: list[Tree] = []
    for text in (case.base, case.theirs, case.ours):
        plain = plain_text(text)
        if plain is None:
            return Declined("the line ends are mixed")
        tree = forest.tree(plain, language)
        if isinstance(tree, Unread):
            return tree
        trees.append(tree)
    base, theirs, ours = trees
    return language, (base, theirs, ours)
