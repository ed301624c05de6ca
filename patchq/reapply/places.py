"""Gates about where things are: no second copy of anything, and every edit in the scope it was written for."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.attempt import Applied, Conflicted, ConflictKind
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.moves import Lost, Move, Why, whereabouts
from patchq.reapply.texts import plain_text
from patchq.syntax.anchors import Address, resolve
from patchq.syntax.edits import edits
from patchq.syntax.facts import Layout
from patchq.syntax.members import pegs
from patchq.syntax.node import Tree, Unread
from patchq.syntax.parse import Forest
from patchq.syntax.strip import strip_of
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.prose import Block, BlockKind, Style, blocks_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from patchq.model.anchor import Step
    from patchq.model.attempt import Case
    from patchq.reapply.claim import Claim, GateAnswer, Trees
    from patchq.reapply.moves import Fate
    from patchq.syntax.node import Node

# Shorter statements (`return None`, `continue`) stand in one function many times; shorter lines in any text.
_TELLING_TOKENS = 4
_TELLING_BYTES = 12


def no_second_copy(claim: Claim) -> GateAnswer:
    """(d) No definition, entry, argument, import or telling statement stands there twice that did not before."""
    base, theirs, ours, result = _stock(claim)
    for thing, count in result.items():
        if count <= ours[thing] or count <= theirs[thing]:
            continue
        if isinstance(thing, _Twice):
            return Failed(f"`{thing.name}` would stand twice in {thing.where}")
        if ours[thing] > base[thing]:
            return Failed(f"upstream has added `{thing.text}` too; it would stand there twice")
    twice = _added_twice(claim)
    if twice is not None:
        return Failed(f"upstream has added `{twice}` too; it would stand there twice")
    return Passed("nothing stands there twice")


def removal_holds(claim: Claim) -> GateAnswer:
    """(d) What counts as removed by upstream too does not stand there as often as before, at another place."""
    if not claim.absorbed_some:
        return Passed("nothing counts as removed already")
    line = left_standing(claim.case, claim.result)
    if line is not None:
        return Failed(f"upstream still has `{line}`, which the patch removes")
    return Passed("what upstream has removed is gone")


def left_standing(case: Case, result: bytes) -> str | None:
    """Find a line that the patch only takes away and that `result` has as often as base: it was moved, not removed."""
    base, theirs, now = (_words(text) for text in (case.base, case.theirs, result))
    old = split_lines(case.base)
    regions = [region for region in diff(old, split_lines(case.theirs)) if region.new_start == region.new_end]
    gone = _words(b"".join(line for region in regions for line in old[region.old_start : region.old_end]))
    left = (line for line in gone if now[line] > theirs[line] and now[line] >= base[line])
    return next((line.decode("utf-8", "replace") for line in left), None)


def _added_twice(claim: Claim) -> str | None:
    """Find a short line of a list that both sides have added; in code such lines (`return x`) mean nothing."""
    case = claim.case
    base, theirs = _words(case.base), _words(case.theirs)
    added = [line for line in theirs - base if claim.trees is None or line.startswith(b"- ")]
    if not added:
        return None
    ours, result = _words(case.ours), _words(claim.result)
    twice = (line for line in added if ours[line] > base[line] and result[line] > max(ours[line], theirs[line]))
    return next((line.decode("utf-8", "replace") for line in twice), None)


def _words(text: bytes) -> Counter[bytes]:
    """Count lines that say something, without what separates them in a list."""
    lines = (line.strip().rstrip(b",\\ ") for line in split_lines(text))
    return Counter(line for line in lines if any(chr(byte).isalnum() for byte in line))


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
    fates = _fates(trees) if strays else ()
    moves = [fate for fate in fates if isinstance(fate, Move)]
    moved = {stray: move for stray in strays for move in moves if any(_went(move, old, stray) for old in missing)}
    for stray in strays:
        heirs = [old for old in missing if _renamed(trees, old, stray)]
        doubts = [fate for fate in fates if isinstance(fate, Lost) and any(_doubts(fate, old) for old in heirs)]
        if stray not in moved and not heirs:
            return Failed(f"an edit would land in {_dotted(stray)}, where the patch has none")
        if stray not in moved and doubts:
            return Failed(f"an edit would land in {_dotted(stray)}, but {doubts[0].reason}")
    if strays:
        followed = all(stray in moved and not moved[stray].renamed for stray in strays)
        # Equal lines around it, and one name gone for one come: a merge by lines is no guess there.
        textual = claim.rung in {Rung.OFFSET, Rung.THREE_WAY} and not moved
        review = ReviewClass.C if textual else ReviewClass.D if followed else ReviewClass.E
        return Passed(f"every edit is in its scope, which upstream has at {_dotted(strays[0])} now", review)
    return Passed("every edit is in the scope it was made for")


def _fates(trees: Trees) -> tuple[Fate, ...]:
    """Ask anew where upstream has moved what the patch changes; a rung's word is not taken for it.

    A move can lead into what the case does not turn on, so all is read.
    """
    forest = Forest()
    whole = [forest.tree(tree.source, trees.language) for tree in (trees.base, trees.theirs, trees.ours)]
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
            if moved or gone or twin or conflict.kind is ConflictKind.OTHER_VALUE:
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
    base, theirs = (Counter(leaf.same for leaf in tree.root.leaves()) for tree in (trees.base, trees.theirs))
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


@dataclass(frozen=True, slots=True)
class _Twice:
    """One member too many of a name, somewhere below `where`."""

    where: str
    name: str


@dataclass(frozen=True, slots=True)
class _Saying:
    """A statement of one scope, or a line, that is long enough to be no coincidence; `text` is for people."""

    identity: Hashable
    text: str


_Countable = _Twice | _Saying


def _stock(claim: Claim) -> tuple[Counter[_Countable], ...]:
    """Count what base, theirs, ours and the result have; of trees only where the four differ, since most is equal."""
    trees = claim.trees
    if trees is None:
        case = claim.case
        return tuple(Counter(_lines(text)) for text in (case.base, case.theirs, case.ours, claim.result))
    four = (trees.base, trees.theirs, trees.ours, trees.result)
    census = [Counter(node.same for node in tree.root.walk()) for tree in four]
    settled = {same for same, count in census[0].items() if all(other[same] == count for other in census[1:])}
    return tuple(Counter(_things(tree, settled)) for tree in four)


def _lines(text: bytes) -> Iterator[_Countable]:
    for line in split_lines(text):
        if len(line.strip()) >= _TELLING_BYTES:
            yield _Saying(line.strip(), line.strip().decode("utf-8", "replace"))


def _things(tree: Tree, settled: set[int]) -> Iterator[_Countable]:
    """Find what may not stand there twice, outside the constructs `settled`, which stand in all four equally often."""
    facts = tree.facts
    stack: list[tuple[Node, Address, Node | None]] = [(tree.root, Address(), None)]
    while stack:
        node, address, owner = stack.pop()
        if not node.children or node.same in settled:
            continue
        strip = strip_of(node, facts)
        members = pegs(strip, owner, facts)
        names: Counter[str] = Counter()
        for segment, peg in zip(strip.segments, members, strict=True):
            member = segment.member
            step = None if peg.signature is None else peg.signature.step
            if peg.name is not None and step is not None:
                names[" ".join((str(step), *peg.name[2:]))] += 1
            elif strip.layout is Layout.LINES and member.size >= _TELLING_TOKENS and member.same not in settled:
                yield _Saying((address.steps, member.same), textwrap.shorten(member.word, 60, placeholder="…"))
            elif strip.layout is Layout.SEPARATED and not member.children and address.steps and not address.sealed:
                # An element of a list that has a name, such as `__all__`.
                yield _Saying((address.steps, member.same), textwrap.shorten(member.word, 60, placeholder="…"))
            if strip.layout is Layout.LINES:
                names.update(facts.takes(member))
            stack.append((member, address.into(step, node, facts), node))
        for name, count in names.items():
            yield from [_Twice(_dotted(address.steps), name)] * (count - 1)


def _dotted(steps: tuple[Step, ...]) -> str:
    return "`" + ".".join(str(step) for step in steps) + "`" if steps else "the file"
