"""Gates about conditions: an edit stays behind the conditions it was written for, and is reached at all."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.verdict import ReviewClass
from patchq.reapply.claim import Failed, Passed
from patchq.reapply.presence import alike, short
from patchq.syntax.edits import edits
from patchq.text.diff import diff
from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from patchq.reapply.claim import Claim, GateAnswer
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node, Tree

# How the head of a branch begins, in all languages that have one like it.
_OPENS = re.compile(
    rb"(?:if|elif|elseif|else if|unless|while|until|case|default|switch|match|except|catch|#\s*(?:el)?if\w*)\b"
)
# What turns a condition round, alone or in place of another one of these.
_FLIPS = frozenset(
    (
        *("not", "!", "is", "in", "=", "==", "!=", "<", ">", "<=", ">="),
        *("-eq", "-ne", "-lt", "-ge", "-gt", "-le", "-n", "-z"),
        *("if", "unless", "ifdef", "ifndef", "ifeq", "ifneq", "#if", "#ifdef", "#ifndef"),
    )
)
_LAYOUT = frozenset(["(", ")", "[", "]", "[[", "]]", "{", "}", ":", ";", ",", "then", "do"])
_OPENING = re.compile(rb"\s*(?:[#%]\s*|\{%-?\s*)?(?:if|ifdef|ifndef|ifeq|ifneq|unless)\b")
_CLOSING = re.compile(rb"\s*(?:[#%]\s*|\{%-?\s*)?(?:endif|endunless|end)\b")
_LEAVES = re.compile(rb"(?:return|raise|throw|continue|break|goto|exit)\b")
# `x = 1` stands in many blocks; a statement of this many tokens tells whether a block is still the same.
_TELLING_SIZE = 3
_MOSTLY = 0.5


class _Turn(Enum):
    """What upstream has made of a condition."""

    ALIKE = "more or less the same"
    ROUND = "its opposite"
    OTHER = "another one"


@dataclass(frozen=True, slots=True)
class _Branch:
    """A construct with a condition: the tokens of its head, and the statements in its block."""

    kind: str
    head: tuple[Node, ...]
    body: tuple[Node, ...]

    @property
    def says(self) -> tuple[str, ...]:
        words = (word.replace("'", '"') for leaf in self.head for word in leaf.word.split())
        return tuple(word for word in words if word not in _LAYOUT)

    @property
    def text(self) -> str:
        return short(" ".join(leaf.word for leaf in self.head))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one edit lies: the branches around it, outermost first, and whether it changes a head itself."""

    branches: tuple[_Branch, ...]
    changes: _Branch | None
    behind: Node | None  # a statement before it, in its block, that never lets it run
    guard: Node | None  # a branch right before it that leaves its block


def same_branches(claim: Claim) -> GateAnswer:
    """(j) Every edit is behind the conditions that it was written for, and in a branch that still does the same.

    A merge by lines takes the arm of `if x` for that of `if not x`, and a matching by places takes one `case` for
    another; the lines of the edit alone do not tell.
    """
    trees = claim.trees
    if trees is None:
        return _same_by_lines(claim)
    meant: dict[tuple[int, ...], list[_Place]] = {}
    for identity, place in _places(trees.base, trees.theirs):
        meant.setdefault(identity, []).append(place)
    review = ReviewClass.A
    said = "every edit is behind the conditions it was made for"
    for identity, made in _places(trees.ours, trees.result):
        old = meant.get(identity, [])
        guarded = made.guard is not None and all(
            place.guard is None or place.guard.same != made.guard.same for place in old
        )
        if guarded and made.guard is not None and old:
            # Of 3 such edits in people's backports all were right; early returns stand in rows.
            review = ReviewClass.worst((review, ReviewClass.C))
            said = f"an edit stands right behind {short(made.guard.word)}, which upstream has put there"
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
        told = f"{old_branch.text} is {new_branch.text} now"
        match _turned(old_branch.says, new_branch.says):
            case _Turn.ROUND:
                return Failed(f"an edit was made behind a condition that upstream has turned round: {told}")
            case _Turn.OTHER:
                return Passed(f"an edit is behind another condition: {told}", ReviewClass.D)
            case _Turn.ALIKE:
                pass
    return None


def _turned(old: Sequence[str], new: Sequence[str]) -> _Turn:
    """Compare the words of two conditions, the first of which is what upstream has made the second of."""
    gone, gained = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if {word.lower() for word in (gone | gained)} <= _FLIPS:
        return _Turn.ROUND
    telling = [word for word in old[1:] if any(map(str.isalnum, word)) and word.lower() not in _FLIPS]
    if telling and not set(telling) & set(new[1:]):
        return _Turn.OTHER
    kept = sum((Counter(old) & Counter(new)).values())
    return _Turn.ALIKE if 2 * kept >= _MOSTLY * (len(old) + len(new)) else _Turn.OTHER


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
    behind = guard = None
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
        if at.kind in facts.blocks and at.kind != facts.wrapper and at.kind not in facts.entries:
            behind = behind or _dead(at, below, facts)
            guard = _guard(at, below, facts)
        at = below
    return _Place(tuple(branches), changes, behind, guard)


def _branch(node: Node, facts: LanguageFacts) -> _Branch | None:
    """Read a construct as a branch; None where it begins with no condition."""
    if not _OPENS.match(node.source, node.start) or not node.children:
        return None
    at = next((k for k, kid in enumerate(node.children) if kid.kind in facts.blocks), None)
    if at is None or at == 0:
        return None
    head = tuple(leaf for kid in node.children[:at] for leaf in kid.leaves() if leaf.kind not in facts.comments)
    return _Branch(node.kind, head, node.children[at].children)


def _dead(block: Node, member: Node, facts: LanguageFacts) -> Node | None:
    """Return the statement before a member of a block that leaves the block whatever happens."""
    if member.kind == facts.wrapper:
        return None
    at = next(k for k, kid in enumerate(block.children) if kid is member)
    return next((kid for kid in block.children[:at] if _LEAVES.match(kid.source, kid.start)), None)


def _guard(block: Node, member: Node, facts: LanguageFacts) -> Node | None:
    """Return the branch right before a member of a block that ends by leaving the block."""
    at = next(k for k, kid in enumerate(block.children) if kid is member)
    before = next((kid for kid in reversed(block.children[:at]) if kid.kind not in facts.comments), None)
    branch = None if before is None else _branch(before, facts)
    last = None if branch is None else next((kid for kid in reversed(branch.body) if kid.kind not in {"}", ";"}), None)
    return before if last is not None and _LEAVES.match(last.source, last.start) else None


def _same_by_lines(claim: Claim) -> GateAnswer:
    """Ask the same of a text without a grammar that has `if` and `endif`, such as a makefile."""
    case = claim.case
    if not all(map(_balanced, (case.base, case.theirs, case.ours, claim.result))):
        return Passed("conditions are not told from other lines in this file")
    meant = _conditions(case.base, case.theirs)
    for lines, heads in _conditions(case.ours, claim.result).items():
        for old, new in zip(meant.get(lines, ()), heads, strict=False):
            turn = _turned(old.split(), new.split())
            told = f"{short(old)} is {short(new)} now"
            if old != new and turn is _Turn.ROUND:
                return Failed(f"an edit was made behind a condition that upstream has turned round: {told}")
            if turn is _Turn.OTHER:
                return Passed(f"an edit is behind another condition: {told}", ReviewClass.D)
    return Passed("every edit is behind the conditions it was made for")


def _balanced(text: bytes) -> bool:
    lines = split_lines(text)
    return sum(map(bool, map(_OPENING.match, lines))) == sum(map(bool, map(_CLOSING.match, lines)))


def _conditions(before: bytes, after: bytes) -> dict[tuple[bytes, ...], tuple[str, ...]]:
    """Give for the added or removed lines of each change the conditions around them, outermost first."""
    old, new = split_lines(before), split_lines(after)
    found: dict[tuple[bytes, ...], tuple[str, ...]] = {}
    for region in diff(old, new):
        lines = (*old[region.old_start : region.old_end], *new[region.new_start : region.new_end])
        heads: list[str] = []
        for line in new[: region.new_start]:
            if _CLOSING.match(line):
                heads = heads[:-1]
            elif _OPENING.match(line):
                heads.append(" ".join(line.decode("utf-8", "replace").split()))
        found[tuple(line.strip() for line in lines)] = tuple(heads)
    return found
