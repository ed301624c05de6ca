"""Whether what stands in a text has been given another content further down, or stands in a string or comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.model.anchor import Anchor, StepKind
from patchq.syntax.anchors import resolve
from patchq.syntax.edits import edits
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.anchor import Step
    from patchq.model.attempt import Case
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.syntax.parse import Forest

_DEFINES = re.compile(
    rb"(?:(?:export|default|async|static|get|set)\s+)*(?:(?:def|class|function)\b|[\w.-]+\s*\([^=]*\)\s*\{)"
)


def overruled(case: Case, forest: Forest) -> str | None:
    """Name an address of what the patch adds that ours gives another content further down in the same block.

    A definition with a decorator (`@x.setter`, `@overload`) adds to the one above and does not overrule it.
    """
    language = language_of(case.ours_path)
    if language is None or not language.facts.later_wins:
        return None
    facts = language.facts
    base, theirs, ours = (forest.tree(text, language) for text in (case.base, case.theirs, case.ours))
    if isinstance(base, Unread) or isinstance(theirs, Unread) or isinstance(ours, Unread):
        return None
    made = edits(base.root, theirs.root, facts)
    added = (it.address.steps for it in made if it.new is not None and it.new.kind not in facts.comments)
    for steps in dict.fromkeys(added):
        for count in range(1, len(steps) + 1):
            there, here = (resolve(tree.root, steps[:count], facts) for tree in (theirs, ours))
            if len(here) > len(there) >= 1 and _overrules(here, steps, count, there[-1], facts):
                address = str(Anchor("", steps)).removeprefix("::")
                line = ours.root.source.count(b"\n", 0, here[-1].start) + 1
                return f"{address} is there, and is given another content in line {line}"
    return None


def covered(text: bytes, path: bytes, row: int, forest: Forest) -> bool:
    """Whether row `row` (from 0) of `text` begins inside a string or comment of several lines."""
    language = language_of(path)
    tree = None if language is None else forest.tree(text, language)
    if language is None or tree is None or isinstance(tree, Unread):
        return False
    start = 0
    for _ in range(row):
        start = text.index(b"\n", start) + 1
    line = text[start:].partition(b"\n")[0]
    at = start + len(line) - len(line.lstrip())
    node: Node | None = tree.root
    while node is not None:
        if node.kind in language.facts.comments | language.facts.strings:
            return node.start < start or b"\n" in node.text
        node = next((child for child in node.children if child.start <= at < child.end), None)
    return False


def _overrules(here: Sequence[Node], steps: Sequence[Step], count: int, made: Node, facts: LanguageFacts) -> bool:
    """Whether the last of equally named nodes says something else than the patch, while an earlier one says that."""
    *earlier, last = here
    step, rest = steps[count - 1], steps[count:]
    if _margin(last) != _margin(earlier[-1]) or not _same_block(earlier[-1], last) or _adorned(last, facts):
        return False
    if _is_used_between(earlier[-1], last, step):
        return False
    if rest:
        return not resolve(last, rest, facts) and any(resolve(node, rest, facts) for node in earlier)
    return last.same != made.same and any(node.same == made.same for node in earlier)


def _is_used_between(first: Node, last: Node, step: Step) -> bool:
    """Whether a value is read before it is set again, or in what it is set to: then both have their effect."""
    if step.kind is not StepKind.NAME or _DEFINES.match(last.text):
        return False
    read = first.source[first.end : last.start] + last.text.partition(b"=")[2]
    return re.search(rb"\b%s\b" % re.escape(step.text.encode()), read) is not None


def _adorned(node: Node, facts: LanguageFacts) -> bool:
    return node.kind == facts.wrapper and node.child("definition") is not None and node.source[node.start :][:1] == b"@"


def _margin(node: Node) -> int:
    return node.start - node.source.rfind(b"\n", 0, node.start)


def _same_block(first: Node, last: Node) -> bool:
    """Whether no line between two nodes has less indentation than they have."""
    between = _whole_lines(first.source[first.end : last.start])
    margin = _margin(last) - 1
    return all(len(line) - len(line.lstrip()) >= margin for line in between if line.strip())


def _whole_lines(text: bytes) -> list[bytes]:
    """Cut what lies between two nodes into whole lines, without the rest of the first and the margin of the last."""
    return text.split(b"\n")[1:-1]
