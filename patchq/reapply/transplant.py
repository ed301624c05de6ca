"""Carry a patch's edits from one tree into another: unchanged upstream bytes stay, edited lists are written anew.

Not a general three-way merge: only what the patch changes is looked at, and the result is upstream's own text
everywhere else. At each construct the cheapest true statement wins: nothing to do, already there, upstream did not
touch it, merge the members, replace it whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.attempt import ConflictKind, EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.indent import reindent
from patchq.reapply.members import weave_members
from patchq.reapply.threading import thread
from patchq.reapply.weave import Reach, Torn, Woven
from patchq.reapply.wording import reword
from patchq.syntax.facts import Layout

if TYPE_CHECKING:
    from patchq.reapply.weave import Spot, Weave
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node


def transplant(base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts) -> Weave:
    """Carry base -> theirs into `ours` and return the new text of its span, or what stands in the way.

    The three nodes are of one `Forest` and are one another's counterparts.
    """
    if base.exact == theirs.exact:
        return Woven(ours.text)
    if ours.exact == theirs.exact:
        return Woven(ours.text, (spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream has the same"),))
    if ours.same == theirs.same and base.same != theirs.same:
        how = "upstream has the same in other words or with other comments"
        return Woven(ours.text, (spot.edit(EditFate.ABSORBED, ReviewClass.B, how),))
    unread = base.errors or theirs.errors or ours.errors
    if unread and any(_unreadable(node, facts) for node in (base, theirs, ours)):
        return _torn(base, theirs, ours, spot, "the parser cannot read the code there")
    if unread:
        # Only what was read is compared: nothing is replaced whole that holds more than that.
        woven = _inside(base, theirs, ours, spot, facts)
        beside = any(child.errors and (child.kind == "ERROR" or not child.children) for child in ours.children)
        return woven.at_worst(ReviewClass.D) if beside and isinstance(woven, Woven) else woven
    if _unchanged(base, ours, facts):
        how = "upstream has not changed this"
        return Woven(_take(theirs, ours, facts), (spot.edit(EditFate.CARRIED, ReviewClass.B, how),))
    woven = _inside(base, theirs, ours, spot, facts)
    if isinstance(woven, Torn) and spot.reach is Reach.LINES and _are_blocks(base, theirs, ours, facts):
        woven = thread(base, theirs, ours, spot, facts, transplant) or woven
    if isinstance(woven, Woven) or base.same != ours.same or _loses_comment(base, theirs, ours, facts):
        return woven
    how = "upstream only wrote this differently; replaced as a whole"
    return Woven(_take(theirs, ours, facts), (spot.edit(EditFate.CARRIED, ReviewClass.C, how),))


def _inside(base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts) -> Weave:
    bare_base, bare_theirs, bare_ours = (_bare(node, facts) for node in (base, theirs, ours))
    if bare_ours is not ours or bare_base is not base or bare_theirs is not theirs:
        woven = transplant(bare_base, bare_theirs, bare_ours, spot, facts)
        return _bracketed(woven, theirs, ours, bare_theirs, bare_ours)
    if not facts.kin(base) == facts.kin(theirs) == facts.kin(ours):
        return _torn(base, theirs, ours, spot, "the patch and upstream made different things of it")
    if not base.children or not theirs.children or not ours.children:
        reworded = reword(base, theirs, ours, spot, facts)
        if reworded is not None:
            return reworded
        return _torn(base, theirs, ours, spot, "the patch and upstream changed it differently")
    return weave_members(base, theirs, ours, spot, facts, transplant)


def _are_blocks(base: Node, theirs: Node, ours: Node, facts: LanguageFacts) -> bool:
    return {base.kind, theirs.kind, ours.kind} <= facts.blocks - {facts.wrapper}


def _torn(base: Node, theirs: Node, ours: Node, spot: Spot, reason: str) -> Torn:
    return spot.torn(ConflictKind.CLASH, reason, base=base.text, theirs=theirs.text, ours=ours.text)


def _unreadable(node: Node, facts: LanguageFacts) -> bool:
    """Whether the parser gave up at the node, or among parts that mean something only together.

    A block, and a function behind a macro in its head, are read around what could not be read.
    """
    if node.kind == "ERROR" or not node.children:
        return bool(node.errors)
    together = facts.layout(node) in {Layout.SEPARATED, Layout.CHAIN} or node.kind in facts.compounds
    return together and any(child.errors and (child.kind == "ERROR" or not child.children) for child in node.children)


def _bare(node: Node, facts: LanguageFacts) -> Node:
    """Go inside brackets that only group."""
    while node.kind in facts.transparent:
        beside = facts.brackets | facts.comments
        inner = [child for child in node.children if child.kind not in beside]
        if len(inner) != 1:
            return node
        node = inner[0]
    return node


def _bracketed(woven: Weave, theirs: Node, ours: Node, bare_theirs: Node, bare_ours: Node) -> Weave:
    """Put the text of the bare node back between upstream's brackets, or the patch's where it needs them."""
    if isinstance(woven, Torn):
        return woven
    text = woven.text
    grown = bare_ours is ours and bare_theirs is not theirs and theirs.text.startswith(b"(")
    if grown and b"\n" in text and text != ours.text:
        # The patch grew over its line and brought brackets that hold the lines together.
        return replace(woven, text=b"(" + text + b")")
    before = ours.source[ours.start : bare_ours.start]
    after = ours.source[bare_ours.end : ours.end]
    return replace(woven, text=before + text + after)


def _unchanged(base: Node, ours: Node, facts: LanguageFacts) -> bool:
    """Whether upstream has base's own bytes, maybe at another indentation."""
    if base.exact != ours.exact:
        return False
    return ours.text in {base.text, _take(base, ours, facts)}


def _take(node: Node, target: Node, facts: LanguageFacts) -> bytes:
    """Give the text of `node` as it would stand in the place of `target`."""
    source_indent = facts.margin(node.source, node.start)
    return reindent(node, source_indent, facts.margin(target.source, target.start), facts)


def _loses_comment(base: Node, theirs: Node, ours: Node, facts: LanguageFacts) -> bool:
    def comments(node: Node) -> Counter[bytes]:
        return Counter(leaf.text for leaf in node.leaves() if leaf.kind in facts.comments)

    return bool(comments(ours) - comments(base) - comments(theirs))
