"""Carry a patch's edits inside a string of several lines, such as a docstring: by its lines, in upstream's quotes."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from patchq.model.attempt import EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.weave import Woven
from patchq.text.margins import ITEM, Line
from patchq.text.passage import Footing, Found, carry_lines, spliced

if TYPE_CHECKING:
    from patchq.reapply.weave import Spot
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node

_QUOTED = re.compile(rb"""([A-Za-z]*)(\"{3}|'{3}|["'`])(.*)\2""", re.DOTALL)

_CLASSES = {
    Footing.BOTH: ReviewClass.C,
    Footing.ONE: ReviewClass.C,
    Footing.ALONE: ReviewClass.C,
    Footing.TWINS: ReviewClass.D,
    Footing.SHARED: ReviewClass.C,
}
# `type: str` stands under every option of a documentation; a sentence does not.
_TELLING_BYTES = 12
# Eight words in a row that both have added are one sentence, however each of them breaks its lines.
_SENTENCE_WORDS = 8


def reword(base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts) -> Woven | None:
    """Merge three strings line by line; None where they are not strings of several lines, or where that fails."""
    if not {base.kind, theirs.kind, ours.kind} <= facts.strings or base.children or theirs.children or ours.children:
        return None
    parts = [_QUOTED.fullmatch(node.text) for node in (base, theirs, ours)]
    if any(part is None for part in parts) or all(b"\n" not in node.text for node in (base, ours)):
        return None
    of_base, of_theirs, of_ours = (part for part in parts if part is not None)
    if of_base[1] != of_theirs[1] or of_base[2] != of_theirs[2] or of_base[1].lower() != of_ours[1].lower():
        return None
    texts = [part[3].split(b"\n") for part in (of_base, of_theirs, of_ours)]
    base_lines, theirs_lines, ours_lines = ([_line(text) for text in lines] for lines in texts)
    found = carry_lines(base_lines, theirs_lines, ours_lines, _no_merge)
    if not isinstance(found, Found):
        return None
    content = b"\n".join(spliced(texts[2], found, _written))
    if _says_twice(content, of_ours[3], of_base[3]):
        return None
    if of_ours[2] != of_base[2] and of_ours[2] in content.replace(of_ours[3], b""):
        return None
    absorbed = [spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream's text says it already")] * found.absorbed
    carried = [
        spot.edit(EditFate.CARRIED, _CLASSES[splice.footing], f"carried inside the string, {splice.footing.value}")
        for splice in found.splices
    ]
    return Woven(of_ours[1] + of_ours[2] + content + of_ours[2], (*carried, *absorbed))


def _says_twice(content: bytes, ours: bytes, base: bytes) -> bool:
    """Whether the result has a sentence twice that upstream has added, wrapped in another way: lines do not see it."""
    said, upstreams, old = (_runs(text) for text in (content, ours, base))
    return any(upstreams[run] < count for run, count in said.items() if run in upstreams and run not in old)


def _runs(text: bytes) -> Counter[tuple[bytes, ...]]:
    words = text.split()
    return Counter(tuple(words[at : at + _SENTENCE_WORDS]) for at in range(len(words) - _SENTENCE_WORDS + 1))


def _line(text: bytes) -> Line[None]:
    words = text.strip()
    indent = text[: len(text) - len(text.lstrip(b" \t"))]
    kind = (ITEM if words[:2] in {b"- ", b"* "} else "text") if words else None
    return Line(key=words, exact=text, indent=indent, kind=kind, telling=len(words) >= _TELLING_BYTES, item=None)


def _written(line: Line[None]) -> bytes:
    return line.exact if line.blank else line.indent + line.exact.lstrip(b" \t")


def _no_merge(base: Line[None], theirs: Line[None], ours: Line[None]) -> None:
    """Two changes of one line of prose are not merged: nothing says that they do not contradict."""
