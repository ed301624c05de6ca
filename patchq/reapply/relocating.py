"""Carry the edits of definitions that upstream has moved or renamed, each to its one new place, and all the rest."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from patchq.model.attempt import (
    Applied,
    Attempt,
    Case,
    Conflict,
    Conflicted,
    ConflictKind,
    Declined,
    Edit,
    Evidence,
)
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.anchored import by_tree, sides
from patchq.reapply.indent import reindent
from patchq.reapply.moves import Lost, Move, whereabouts
from patchq.reapply.texts import like
from patchq.reapply.transplant import transplant
from patchq.reapply.weave import Census, Reach, Spot, Torn, Woven
from patchq.syntax.anchors import Address
from patchq.syntax.definitions import definitions
from patchq.syntax.node import Tree, Unread, indentation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.syntax.definitions import Definition
    from patchq.syntax.languages import Language
    from patchq.syntax.node import Node
    from patchq.syntax.parse import Forest


def relocated(case: Case, torn: Conflicted, forest: Forest) -> Attempt:
    """Follow what upstream has moved, where `torn` is what the structural rung says of the case as it stands.

    The patch is cut in two: the moved definitions, whose edits go to where they are now, and all the rest, for which
    those have not been changed. Both parts are carried or none is.
    """
    read = sides(case, forest)
    if isinstance(read, Declined | Unread):
        return torn
    language, trees = read
    base, theirs, ours = trees
    places = whereabouts(base.root, theirs.root, ours.root, language.facts)
    fates = tuple(places.fates())
    lost = [fate for fate in fates if isinstance(fate, Lost)]
    moves = [fate for fate in fates if isinstance(fate, Move)]
    if lost or not moves:
        return _told(torn, (*lost, *places.copies()))
    rest = _rest(case, trees, moves, language, forest)
    if isinstance(rest, Conflicted):
        return rest
    return _moved(case, rest, trees, moves, language, forest) or torn


def _told(torn: Conflicted, lost: Sequence[Lost]) -> Conflicted:
    """Say of what is gone why it was not followed."""
    reasons = {str(fate.base): fate.reason for fate in lost}
    conflicts = (
        replace(conflict, reason=f"{conflict.reason}; {reasons[place]}")
        if (place := conflict.anchor.partition("::")[2]) in reasons
        else conflict
        for conflict in torn.conflicts
    )
    return Conflicted(tuple(conflicts))


def _rest(
    case: Case, trees: tuple[Tree, ...], moves: Sequence[Move], language: Language, forest: Forest
) -> Applied | Conflicted:
    """Carry everything but the moved definitions, as if the patch had not changed them."""
    base, theirs, ours = trees
    text = unpatched(theirs, moves)
    cut = forest.tree(text, language)
    if isinstance(cut, Tree) and cut.root.exact == base.root.exact:
        return Applied(ours.source, Evidence(rung=Rung.STRUCTURAL))
    answer = by_tree(replace(case, base=base.source, theirs=text, ours=ours.source), Rung.STRUCTURAL, forest)
    if isinstance(answer, Declined):
        reason = f"beside what upstream has moved: {answer.reason}"
        return Conflicted((Conflict(kind=ConflictKind.UNPROVEN, reason=reason, anchor=f"{_path(case)}::"),))
    return answer


def unpatched(theirs: Tree, moves: Sequence[Move]) -> bytes:
    """Give the patch's text with base's form of some definitions."""
    return _spliced(theirs.source, [(move.theirs.node, _as_in_place_of(move.base, move.theirs)) for move in moves])


def patched(base: Tree, moves: Sequence[Move]) -> bytes:
    """Give base's text with the patch's form of some definitions, and nothing else of the patch."""
    return _spliced(base.source, [(move.base.node, _as_in_place_of(move.theirs, move.base)) for move in moves])


def _as_in_place_of(one: Definition, other: Definition) -> bytes:
    node, target = one.node, other.node
    return reindent(node, indentation(node.source, node.start), indentation(target.source, target.start), one.facts)


def _moved(
    case: Case, rest: Applied, trees: tuple[Tree, ...], moves: Sequence[Move], language: Language, forest: Forest
) -> Attempt | None:
    """Put the moved definitions' edits into what the rest has made of ours."""
    now = forest.tree(rest.data, language)
    if isinstance(now, Unread):
        return None
    base, theirs, ours = (tree.root for tree in trees)
    here: dict[object, list[Definition]] = {}
    for one in definitions(now.root, language.facts):
        here.setdefault(one.key, []).append(one)
    spot = Spot(_path(case), language.facts, Census((base, theirs, ours)), reach=Reach.LINES)
    edits: list[Edit] = list(rest.evidence.edits)
    conflicts: list[Conflict] = []
    splices: list[tuple[Node, bytes]] = []
    for move in moves:
        places = here.get(move.ours.key, [])
        if len(places) != 1 or places[0].node.exact != move.ours.node.exact:
            return None
        there = replace(spot, address=Address(places[0].steps), owner=places[0].container)
        match transplant(move.base.node, move.theirs.node, places[0].node, there, language.facts):
            case Torn(found):
                conflicts.extend(found)
            case Woven(text, made):
                splices.append((places[0].node, text))
                edits.extend(_noted(edit, move) for edit in made)
    spans = sorted((node.start, node.end) for node, _ in splices)
    if any(one[1] > other[0] for one, other in pairwise(spans)):
        return None
    if conflicts:
        return Conflicted(tuple(conflicts))
    notes = tuple(f"`{move.base}` is `{move.ours}` now" for move in moves)
    evidence = Evidence(rung=Rung.STRUCTURAL, edits=tuple(edits), notes=(*rest.evidence.notes, *notes))
    return Applied(like(_spliced(now.source, splices), case.ours), evidence)


def _noted(edit: Edit, move: Move) -> Edit:
    review = ReviewClass.worst((edit.review, ReviewClass.E if move.renamed else ReviewClass.D))
    went = "calls it" if move.renamed else "has it in"
    return replace(edit, review=review, how=f"{edit.how}; upstream {went} `{move.ours}` now: {move.how}")


def _spliced(source: bytes, splices: Sequence[tuple[Node, bytes]]) -> bytes:
    """Replace the spans of nodes of `source`, which do not overlap."""
    out: list[bytes] = []
    at = 0
    for node, text in sorted(splices, key=lambda splice: splice[0].start):
        out.extend((source[at : node.start], text))
        at = node.end
    return b"".join((*out, source[at:]))


def _path(case: Case) -> str:
    return case.ours_path.decode("utf-8", "surrogateescape")
