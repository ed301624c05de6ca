"""The anchored rung: edits found again by their structural address and neighbours, whatever the lines look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Applied, Attempt, Case, Conflicted, Declined, Evidence
from patchq.model.verdict import Rung
from patchq.reapply.transplant import transplant
from patchq.reapply.weave import Spot, Torn, Woven
from patchq.syntax.languages import language_of
from patchq.syntax.node import Unread
from patchq.syntax.parse import Forest

if TYPE_CHECKING:
    from patchq.syntax.node import Tree


def anchored(case: Case, forest: Forest | None = None) -> Attempt:
    """Carry the change of one file by transplanting its edit script between trees.

    Declines where there is no grammar, where a text cannot be read, and where the patch changes the layout only. Line
    ends are upstream's: a file that ends all its lines with CRLF is read without the CR and given back with it.
    """
    language = language_of(case.path)
    if language is None:
        return Declined("no grammar for files of this kind")
    texts = [_plain(text) for text in (case.base, case.theirs, case.ours)]
    if any(text is None for text in texts):
        return Declined("the line ends are mixed")
    forest = Forest() if forest is None else forest
    trees: list[Tree] = []
    for text in texts:
        tree = forest.tree(text or b"", language)
        if isinstance(tree, Unread):
            return Declined(tree.reason)
        trees.append(tree)
    base, theirs, ours = trees
    if base.root.exact == theirs.root.exact:
        return Declined("the patch changes white space only, which a tree does not see")
    spot = Spot(case.ours_path.decode("utf-8", "surrogateescape"))
    woven = transplant(base.root, theirs.root, ours.root, spot, language.facts)
    match woven:
        case Torn(conflicts):
            return Conflicted(conflicts)
        case Woven(text, edits):
            data = text.replace(b"\n", b"\r\n") if b"\r\n" in case.ours else text
            return Applied(data, Evidence(rung=Rung.ANCHORED, edits=edits))


def _plain(text: bytes) -> bytes | None:
    """Return the text with LF line ends, None where both kinds (or a lone CR) stand in it."""
    if b"\r" not in text:
        return text
    plain = text.replace(b"\r\n", b"\n")
    return None if b"\r" in plain or plain.count(b"\n") != text.count(b"\r\n") else plain
