"""Tokens of a tree: for proofs that count them, and for checks that do not mind formatting."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


def code_tokens(node: Node, facts: LanguageFacts) -> Iterator[Node]:
    """Yield the tokens that formatting cannot change: no comments, and none of the language's optional tokens."""
    for leaf in node.leaves():
        if leaf.kind not in facts.comments and leaf.text and leaf.word not in facts.optional:
            yield leaf


def token_bag(node: Node, facts: LanguageFacts) -> Counter[Hashable]:
    """Count tokens by their identity in the forest, so that quotes do not matter; a long text counts by its words."""
    bag: Counter[Hashable] = Counter()
    for leaf in code_tokens(node, facts):
        if leaf.kind in facts.strings and b"\n" in leaf.text:
            bag.update(leaf.text.strip(b"\"'`").split())
        else:
            bag[leaf.same] += 1
    return bag


def comment_bag(node: Node, facts: LanguageFacts) -> Counter[Hashable]:
    """Count comments by their text, white space reduced."""
    return Counter(b" ".join(leaf.text.split()) for leaf in node.leaves() if leaf.kind in facts.comments)


def flat(node: Node, facts: LanguageFacts) -> str:
    """Write a node on one line: comments dropped, white space reduced to single blanks."""
    out: list[str] = []
    end = node.start
    for leaf in node.leaves():
        if leaf.kind in facts.comments or not leaf.text:
            continue
        if out and leaf.start > end:
            out.append(" ")
        out.append(leaf.word)
        end = leaf.end
    return "".join(out)
