"""Gates about conditions: an edit stays behind the conditions it was written for, and is reached at all."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.model.verdict import ReviewClass
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.presence import alike, short
from patchq.syntax.edits import edits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.reapply.claim import Claim, GateAnswer
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node, Tree

# How the head of a branch begins, in all languages that have one like it.
_OPENS = re.compile(
    rb"(?:if|elif|elseif|else if|unless|while|until|case|default|switch|match|except|catch|#\s*(?:el)?if\w*)\b"
)
_FLIPS = frozenset({"not", "!", "is not", "not in", "in", "is", "==", "!=", "<", ">", "<=", ">=", "-eq", "-ne"})
_LEAVES = re.compile(rb"(?:return|raise|throw|continue|break|goto|exit)\b")
# `x = 1` stands in many blocks; a statement of this many tokens tells whether a block is still the same.
_TELLING_SIZE = 3
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class _Branch:
    """A construct with a condition: the tokens of its head, and the statements in its block."""

    kind: str
    head: tuple[Node, ...]
    body: tuple[Node, ...]

    @property
    def says(self) -> tuple[int, ...]:
        return tuple(leaf.same for leaf in self.head)

    @property
    def text(self) -> str:
        return short(" ".join(leaf.word for leaf in self.head))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one edit lies: the branches around it, outermost first, and whether it changes a head itself."""

    branches: tuple[_Branch, ...]
    changes: _Branch | None
    behind: Node | None  # a statement right before it, in its block, that never lets it run


def same_branches(claim: Claim) -> GateAnswer:
    """(j) Every edit is behind the conditions that it was written for, and in a branch that still does the same.

    A merge by lines takes the arm of `if x` for that of `if not x`, and a matching by places takes one `case` for
    another; the lines of the edit alone do not tell.
    """
    trees = claim.trees
    if trees is None:
        return Passed("conditions are not told from code in this file")
    meant: dict[tuple[int, ...], list[_Place]] = {}
    for identity, place in _places(trees.base, trees.theirs):
        meant.setdefault(identity, []).append(place)
    review = ReviewClass.A
    said = "every edit is behind the conditions it was made for"
    for identity, made in _places(trees.ours, trees.result):
        old = meant.get(identity, [])
        if made.behind is not None and old and all(place.behind is None for place in old):
            return Failed(f"an edit would never run: it would stand behind {short(made.behind.word)}")
        answers = [_compared(place, made) for place in old]
        if not answers or None in answers:
            continue
        answer = answers[0]
        if isinstance(answer, Failed):
            return answer
        if answer is not None:
            review, said = ReviewClass.worst((review, answer.review)), answer.said
    return Passed(said, review)


def _compared(meant: _Place, made: _Place) -> GateAnswer | None:
    """Compare the branches around an edit in the patch with those in the result; None where they are the same."""
    if meant.changes is not None and made.changes is not None and _all_other(meant.changes, made.changes):
        return Passed(f"an edit changes {made.changes.text}, behind which all is other code now", ReviewClass.D)
    here = Counter((branch.kind, branch.says) for branch in made.branches)
    there = Counter((branch.kind, branch.says) for branch in meant.branches)
    lost = [branch for branch in meant.branches if (branch.kind, branch.says) not in here]
    came = [branch for branch in made.branches if (branch.kind, branch.says) not in there]
    for old_branch, new_branch in ((one, two) for one in lost for two in came if one.kind == two.kind):
        gained, gone = Counter(new_branch.says), Counter(old_branch.says)
        words = {leaf.same: leaf.word for leaf in (*new_branch.head, *old_branch.head)}
        differing = {words[same] for same in ((gained - gone) | (gone - gained))}
        told = f"{old_branch.text} is {new_branch.text} now"
        if differing <= _FLIPS:
            return Failed(f"an edit was made behind a condition that upstream has turned round: {told}")
        if 2 * (gained & gone).total() < _MOSTLY * (gained.total() + gone.total()) or _replaced(old_branch, new_branch):
            return Passed(f"an edit is behind another condition: {told}", ReviewClass.D)
    return None


def _replaced(old: _Branch, new: _Branch) -> bool:
    """Whether nothing that says something is left of a condition: the keyword and the brackets do not."""
    keyword, *words = (leaf.word for leaf in old.head)
    now = {leaf.word for leaf in new.head[1:]}
    telling = [word for word in words if any(map(str.isalnum, word)) and word not in _FLIPS and word != keyword]
    return bool(telling) and not set(telling) & now


def _all_other(old: _Branch, new: _Branch) -> bool:
    """Whether no statement of a branch is left, or looks like one that is there now."""
    telling = [node for node in old.body if node.size >= _TELLING_SIZE]
    return bool(telling) and not any(one.same == two.same or alike(one, two) for one in telling for two in new.body)


def _places(before: Tree, after: Tree) -> Iterator[tuple[tuple[int, ...], _Place]]:
    """Find where each edit lies, by what it is: equal for the same edit in the patch and in the result."""
    for edit in edits(before.root, after.root, before.facts):
        side, node = (before, edit.old) if edit.new is None else (after, edit.new)
        if node is None:
            continue
        identity = (-1 if edit.old is None else edit.old.same, -1 if edit.new is None else edit.new.same)
        yield identity, _place(side.root, node, before.facts)


def _place(root: Node, node: Node, facts: LanguageFacts) -> _Place:
    branches: list[_Branch] = []
    changes: _Branch | None = None
    behind: Node | None = None
    at = root
    while at is not node:
        below = next((kid for kid in at.children if kid.start <= node.start and node.end <= kid.end), None)
        if below is None:
            break
        branch = _branch(at, facts)
        if branch is not None:
            in_head = any(leaf.start <= node.start and node.end <= branch.head[-1].end for leaf in branch.head[:1])
            if in_head:
                changes = branch
            else:
                branches.append(branch)
        if at.kind in facts.blocks and at.kind != facts.wrapper:
            behind = _dead(at, below, facts) if below is node else None
        at = below
    return _Place(tuple(branches), changes, behind)


def _branch(node: Node, facts: LanguageFacts) -> _Branch | None:
    """Read a construct as a branch; None where it begins with no condition."""
    if not _OPENS.match(node.text[:16]) or not node.children:
        return None
    at = next((k for k, kid in enumerate(node.children) if kid.kind in facts.blocks), None)
    if at is None or at == 0:
        return None
    head = tuple(leaf for kid in node.children[:at] for leaf in kid.leaves() if leaf.kind not in facts.comments)
    return _Branch(node.kind, head, node.children[at].children)


def _dead(block: Node, member: Node, facts: LanguageFacts) -> Node | None:
    """Return the statement right before a new one that leaves the block whatever happens."""
    at = next(k for k, kid in enumerate(block.children) if kid is member)
    before = next((kid for kid in reversed(block.children[:at]) if kid.kind not in facts.comments), None)
    if (
        before is None
        or not _LEAVES.match(before.text[:12])
        or any(kid.kind in facts.blocks for kid in before.children)
    ):
        return None
    named = facts.signature(member, block)
    return None if named is not None and member.kind == facts.wrapper else before
