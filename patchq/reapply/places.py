"""Gates about where things are: every edit in the scope it was written for, by lines and by structure alike."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from patchq.model.attempt import Applied, Conflicted, ConflictKind
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.copies import dotted
from patchq.reapply.moves import Lost, Move, Why, whereabouts
from patchq.reapply.texts import plain_text
from patchq.syntax.anchors import resolve
from patchq.syntax.edits import edits
from patchq.syntax.node import Tree, Unread
from patchq.syntax.residue import leaves, residue
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.prose import Block, BlockKind, Style, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.anchor import Step
    from patchq.model.attempt import Case
    from patchq.reapply.claim import Claim, GateAnswer, Trees
    from patchq.reapply.moves import Fate
    from patchq.syntax.parse import Forest


def in_place(claim: Claim) -> GateAnswer:
    """(h) Every edit lies in the named scope that the patch names, or in that scope's one new name.

    It stops the wrong twin: upstream deleted `extend`, the same lines stand in `decode`, and a text merge takes those.
    """
    trees = claim.trees
    if trees is None:
        return _below_its_heading(claim)
    meant = Counter(_scopes(trees.base, trees.theirs))
    made = Counter(_scopes(trees.ours, trees.result))
    strays = [scope for scope in made if scope not in meant]
    missing = [scope for scope in meant if scope not in made]
    fates = _fates(trees, claim.forest) if strays else ()
    moves = [fate for fate in fates if isinstance(fate, Move)]
    moved = {stray: move for stray in strays for move in moves if any(_went(move, old, stray) for old in missing)}
    for stray in strays:
        heirs = [old for old in missing if _renamed(trees, old, stray)]
        doubts = [fate for fate in fates if isinstance(fate, Lost) and any(_doubts(fate, old) for old in heirs)]
        if stray not in moved and not heirs:
            return Failed(f"an edit would land in {dotted(stray)}, where the patch has none")
        if stray not in moved and doubts:
            return Failed(f"an edit would land in {dotted(stray)}, but {doubts[0].reason}")
    if strays:
        followed = all(stray in moved and not moved[stray].renamed for stray in strays)
        # Equal lines around it, and one name gone for one come: a merge by lines is no guess there.
        textual = claim.rung in {Rung.OFFSET, Rung.THREE_WAY} and not moved
        review = ReviewClass.C if textual else ReviewClass.D if followed else ReviewClass.E
        return Passed(f"every edit is in its scope, which upstream has at {dotted(strays[0])} now", review)
    return Passed("every edit is in the scope it was made for")


def _fates(trees: Trees, forest: Forest) -> tuple[Fate, ...]:
    """Ask anew where upstream has moved what the patch changes; a rung's word is not taken for it.

    A move can lead into what the case does not turn on, so all is read.
    """
    everywhere = forest.whole()
    whole = [everywhere.tree(tree.source, trees.language) for tree in (trees.base, trees.theirs, trees.ours)]
    base, theirs, ours = (tree.root if isinstance(tree, Tree) else None for tree in whole)
    if base is None or theirs is None or ours is None:
        return ()
    return tuple(whereabouts(base, theirs, ours, trees.facts).fates())


def _doubts(fate: Lost, old: tuple[Step, ...]) -> bool:
    """Whether a scope is, or is in, a definition of which and of others upstream has made one."""
    return fate.why is Why.MERGED and old[: len(fate.base.steps)] == fate.base.steps


def _went(move: Move, old: tuple[Step, ...], new: tuple[Step, ...]) -> bool:
    """Whether a scope in a moved definition is `new` now."""
    source, target = move.base.steps, move.ours.steps
    return old[: len(source)] == source and new == target + old[len(source) :]


def _below_its_heading(claim: Claim) -> GateAnswer:
    """Ask the same of a file without a grammar, by the line that git shows behind `@@`: a function's, a section's head.

    Only indented lines stand below a head. One new head in place of one that is gone is the same, renamed.
    """
    case = claim.case
    if claim.rung is Rung.ANCHORED and claim.style is Style.MARKDOWN:
        return _in_its_section(case, claim.result)
    meant, made = _headings(case.base, case.theirs), _headings(case.ours, claim.result)
    missing = [head for head in meant if head not in made and head not in set(split_lines(case.ours))]
    for stray in made:
        if stray not in meant and (stray in set(split_lines(case.base)) or not missing):
            text = stray.strip().decode("utf-8", "replace") or "no heading"
            return Failed(f"an edit would land below `{text}`, where the patch has none")
    return Passed("every edit is below the line it was made for")


def _in_its_section(case: Case, result: bytes) -> GateAnswer:
    """Ask of a Markdown file that every edit is in a section that the patch names, or in one that upstream put in."""
    meant, made = _sections(case.base, case.theirs), _sections(case.ours, result)
    known = {block.says for block in _section_heads(case.base)}
    for stray in made - meant:
        text = b" ".join(stray).decode("utf-8", "replace") or "no heading"
        if stray in known or not stray:
            return Failed(f"an edit would land in the section `{text}`, where the patch has none")
        return Passed(f"an edit is in the section `{text}` now", ReviewClass.D)
    return Passed("every edit is in the section it was made for")


def _sections(before: bytes, after: bytes) -> set[tuple[bytes, ...]]:
    """Collect the headings above the blocks that change, those of the blocks that go and those of the new ones."""
    old, new = (blocks_of(plain_text(text) or text, Style.MARKDOWN).blocks for text in (before, after))
    regions = diff([b" ".join(block.says) for block in old], [b" ".join(block.says) for block in new])
    found: set[tuple[bytes, ...]] = set()
    for region in regions:
        start, end, side = region.new_start, region.new_end, new
        if start == end:
            start, end, side = region.old_start, region.old_end, old
        above = (block.says for block in reversed(side[:start]) if block.kind is BlockKind.HEADING)
        if side[start].kind is not BlockKind.HEADING:
            found.add(next(above, ()))
    return found


def _section_heads(text: bytes) -> list[Block]:
    blocks = blocks_of(plain_text(text) or text, Style.MARKDOWN).blocks
    return [block for block in blocks if block.kind is BlockKind.HEADING]


def _headings(before: bytes, after: bytes) -> set[bytes]:
    """Collect the heads above the indented lines that change; empty for a line above which there is none."""
    old, new = split_lines(before), split_lines(after)
    found: set[bytes] = set()
    for region in diff(old, new):
        lines = (*old[region.old_start : region.old_end], *new[region.new_start : region.new_end])
        if any(line[:1] in {b" ", b"\t"} and line.strip() for line in lines):
            above = reversed(old[: region.old_start])
            found.add(next((line for line in above if line[:1].isalpha() or line[:1] in {b"_", b"$"}), b""))
    return found


def second_opinion(claim: Claim) -> GateAnswer:
    """(i) Where the edits can be placed by structure too, both ways give one tree, up to orders that mean nothing.

    The two look at different things, lines and constructs. Of 474 clean merges of a project's history that both of
    them carried, they disagreed about none. Two things lines cannot see: upstream has the entry with another value,
    and what the patch removes stands elsewhere now, so that nothing is absorbed.
    """
    trees, answer = claim.trees, claim.by_structure
    if trees is not None and isinstance(answer, Conflicted):
        for conflict in answer.conflicts:
            moved = conflict.kind is ConflictKind.AMBIGUOUS and claim.absorbed_all
            gone = conflict.kind is ConflictKind.GONE and claim.absorbed_all and _only_removes(trees)
            twin = conflict.kind is ConflictKind.AMBIGUOUS and bool(conflict.base and conflict.theirs)
            both = conflict.kind is ConflictKind.AMBIGUOUS and conflict.ours.split() == conflict.theirs.split() != []
            if moved or gone or twin or both or conflict.kind is ConflictKind.OTHER_VALUE:
                return Failed(f"{conflict.anchor}: {conflict.reason}")
    if trees is None or not isinstance(answer, Applied):
        return Passed("nothing to compare it with")
    other = claim.forest.tree(plain_text(answer.data) or answer.data, trees.language)
    if isinstance(other, Unread) or any(
        node is not None and node.kind not in trees.facts.comments
        for edit in edits(trees.result.root, other.root, trees.facts)
        for node in (edit.old, edit.new)
    ):
        return Failed("by structure, an edit belongs to another place")
    return Passed("the edits, placed by structure, give the same tree")


def _only_removes(trees: Trees | None) -> bool:
    """Whether the patch adds no token: then nothing is left by which to see that upstream has done the same."""
    if trees is None:
        return False
    sides = residue(trees.base.root, trees.theirs.root)
    base, theirs = (Counter(leaf.same for leaf in leaves(side)) for side in sides)
    return not theirs - base


def _renamed(trees: Trees, old: tuple[Step, ...], new: tuple[Step, ...]) -> bool:
    """Whether the two differ in one step, which upstream has renamed: the one is gone, the other has come."""
    differing = [at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other]
    if len(old) != len(new) or len(differing) != 1:
        return False
    upto = differing[0] + 1
    gone = not resolve(trees.ours.root, old[:upto], trees.facts)
    come = not resolve(trees.base.root, new[:upto], trees.facts)
    return gone and come


def _scopes(before: Tree, after: Tree) -> Iterator[tuple[Step, ...]]:
    """Name the scope of each edit by the definitions, assignments, entries and arguments around it."""
    for edit in edits(before.root, after.root, before.facts):
        yield edit.address.steps[:-1] if edit.named else edit.address.steps
