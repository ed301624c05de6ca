"""The gates of the proof, one function each: a result passes all of them or is not believed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Applied, Conflicted, ConflictKind
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.paragraphs import same_words
from patchq.reapply.texts import plain_text
from patchq.syntax.edits import edits
from patchq.syntax.judge import Accepted, Rejected
from patchq.syntax.node import Tree
from patchq.syntax.residue import leaves, residue
from patchq.syntax.tokens import comment_bag, token_bag
from patchq.text.diff import diff
from patchq.text.lines import split_lines
from patchq.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from patchq.model.attempt import Conflict
    from patchq.reapply.claim import Claim, GateAnswer
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

    _Bag = Callable[[Node, LanguageFacts], Counter[Hashable]]


def parses(claim: Claim) -> GateAnswer:
    """Gate (a): no new error nodes, and the language's own parser takes the result if it takes the other three."""
    trees = claim.trees
    if trees is None:
        return Passed("no grammar for this file")
    allowed = trees.ours.root.errors + max(0, trees.theirs.root.errors - trees.base.root.errors)
    if trees.result.root.errors > allowed:
        return Failed("the result does not parse")
    judge = trees.language.judge
    if judge is None:
        return Passed("parses")
    judgement = judge(trees.result.reduced())
    if isinstance(judgement, Accepted):
        return Passed("parses, for the language's own parser too")
    if any(isinstance(judge(tree.reduced()), Rejected) for tree in (trees.base, trees.theirs, trees.ours)):
        return Passed("parses; the language's own parser here does not know the inputs either")
    return Failed(f"the result does not compile: {judgement.reason}")


def names_resolve(claim: Claim) -> GateAnswer:
    """(g) A name that the patch uses and that its own file bound is bound in the result too."""
    trees = claim.trees
    if trees is None or trees.language.judge is None:
        return Passed("names are not looked up in this file")
    theirs, ours, result = (trees.language.judge(tree.reduced()) for tree in (trees.theirs, trees.ours, trees.result))
    if not (isinstance(theirs, Accepted) and isinstance(ours, Accepted) and isinstance(result, Accepted)):
        return Passed("names were not looked up: not every text compiles here")
    if result.unbound is None:
        return Passed("names are not looked up in this file")
    lost = sorted(result.unbound - (theirs.unbound or frozenset()) - (ours.unbound or frozenset()))
    if lost:
        return Failed(f"`{lost[0]}` is used, but nothing in the new upstream's file defines or imports it")
    return Passed("every name resolves as it did")


def token_delta(claim: Claim) -> GateAnswer:
    """(b) Tokens gained and lost against upstream are those of the patch; a part of them where parts are absorbed."""
    return _delta(claim, "tokens", token_bag)


def comment_delta(claim: Claim) -> GateAnswer:
    """(c) The comments gained and lost are those of the patch: no upstream comment is lost."""
    if claim.trees is None:
        return Passed("comments are not told from code in this file")
    return _delta(claim, "comments", comment_bag)


def upstream_kept(claim: Claim) -> GateAnswer:
    """(c) Lines differ from upstream only where the patch says something: no stray change of white space or order."""
    case = claim.case
    patch_words = {b" ".join(line.split()) for line in _changed_lines(case.base, case.theirs)}
    ours, result = split_lines(case.ours), split_lines(claim.result)
    for region in diff(ours, result):
        lost = ours[region.old_start : region.old_end]
        gained = result[region.new_start : region.new_end]
        equal_words = Counter(b"".join(lost).split()) == Counter(b"".join(gained).split())
        strange = [line for line in (*lost, *gained) if line.strip() and b" ".join(line.split()) not in patch_words]
        if equal_words and strange:
            return Failed(f"line {region.old_start + 1} of upstream would change in white space or order only")
    return Passed("every changed line carries an edit")


def idempotent(claim: Claim) -> GateAnswer:
    """(e) Applying the patch again changes nothing.

    A rung may refuse its own result, where what stood beside an edit is gone upstream; what it put there is then proved
    by taking it back. A merge by lines may double what it added where an edit of upstream touches one of the patch;
    then the edits have to be found there by structure, which the ladder asks before any rung.
    """
    again = replace(claim.case, ours=claim.result)
    answer = claim.again(again)
    if isinstance(answer, Applied) and answer.data == claim.result:
        return Passed("applying it again changes nothing")
    textual = claim.rung in {Rung.OFFSET, Rung.THREE_WAY}
    if not isinstance(answer, Applied) and (textual or not claim.absorbed_some):
        return Passed("applying it again is refused")
    if textual and claim.is_there(again):
        return Passed("applying it again is refused")
    return Failed("applying it again would change the result once more")


def reversible(claim: Claim) -> GateAnswer:
    """(f) Taking the patch back gives the new upstream again."""
    if claim.absorbed_some:
        return Passed("not reversed: upstream has parts of it")
    case = claim.case
    answer = claim.again(replace(case, base=case.theirs, theirs=case.base, ours=claim.result))
    if isinstance(answer, Applied):
        if answer.data == case.ours:
            return Passed("reversing it gives upstream, byte for byte")
        if _same_tree(claim, answer.data):
            return Passed(f"reversing it gives upstream's {'words' if claim.trees is None else 'tree'}")
        if _without_blanks(answer.data) == _without_blanks(case.ours):
            return Passed("reversing it gives upstream but for blanks at the ends of lines", ReviewClass.C)
    if isinstance(answer, Conflicted) and all(map(_is_order, answer.conflicts)):
        # What the patch removes stood beside what upstream has added: taken back, it could go before or behind that.
        return Passed("reversed, only the order beside what upstream has added is open", ReviewClass.C)
    return Failed("reversing it does not give upstream back")


def _without_blanks(text: bytes) -> list[bytes]:
    return [line.rstrip() for line in split_lines(text)]


def _is_order(conflict: Conflict) -> bool:
    """Whether a conflict is about nothing but which of two additions at one place comes first."""
    return conflict.kind is ConflictKind.AMBIGUOUS and bool(conflict.theirs) and not conflict.base and not conflict.ours


def _same_tree(claim: Claim, data: bytes) -> bool:
    """Whether a text has upstream's tree, up to orders that mean nothing; comments count."""
    if claim.trees is None:
        return claim.rung is Rung.ANCHORED and same_words(data, claim.case.ours, claim.style)
    tree = claim.forest.tree(plain_text(data) or data, claim.trees.language)
    if not isinstance(tree, Tree):
        return False
    ours = claim.trees.ours.root
    return tree.root.same == ours.same or not edits(tree.root, ours, claim.trees.facts)


def _delta(claim: Claim, what: str, bag: _Bag) -> GateAnswer:
    base, theirs, ours, result = _bags(claim, bag)
    wanted_gain, wanted_loss = theirs - base, base - theirs
    gain, loss = result - ours, ours - result
    if gain == wanted_gain and loss == wanted_loss:
        return Passed(f"{what} gained and lost are the patch's")
    if not claim.absorbed_some:
        return Failed(f"{what} gained or lost are not those of the patch")
    most_gain, most_loss = _edited(claim, bag)
    if gain <= wanted_gain | most_gain and loss <= wanted_loss | most_loss:
        return Passed(f"{what} gained and lost are among the patch's")
    return Failed(f"{what} would be gained or lost that the patch does not name")


def _bags(claim: Claim, bag: _Bag) -> Iterator[Counter[Hashable]]:
    """Count what base and theirs, and what ours and the result do not share: only their differences are asked for."""
    trees, case = claim.trees, claim.case
    if trees is None:
        return (Counter(tokens(text)) for text in (case.base, case.theirs, case.ours, claim.result))
    sides = (*residue(trees.base.root, trees.theirs.root), *residue(trees.ours.root, trees.result.root))
    return (_bag_of(side, bag, trees.facts) for side in sides)


def _bag_of(side: Sequence[Node], bag: _Bag, facts: LanguageFacts) -> Counter[Hashable]:
    whole: Counter[Hashable] = Counter()
    for leaf in leaves(side):
        whole.update(bag(leaf, facts))
    return whole


def _edited(claim: Claim, bag: _Bag) -> tuple[Counter[Hashable], Counter[Hashable]]:
    """Count what the edits gain and lose one by one: a moved line is both, and upstream may have one half of it."""
    gain: Counter[Hashable] = Counter()
    loss: Counter[Hashable] = Counter()
    if claim.trees is not None:
        facts = claim.trees.facts
        for edit in edits(claim.trees.base.root, claim.trees.theirs.root, facts):
            gain.update({} if edit.new is None else bag(edit.new, facts))
            loss.update({} if edit.old is None else bag(edit.old, facts))
    return gain, loss


def _changed_lines(old: bytes, new: bytes) -> list[bytes]:
    left, right = split_lines(old), split_lines(new)
    return [
        line
        for region in diff(left, right)
        for line in (*left[region.old_start : region.old_end], *right[region.new_start : region.new_end])
    ]
