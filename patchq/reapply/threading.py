"""Carry the edits of one block line of code by line of code: through a new `if` or `with` around it, or out of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.indent import reindent_rows
from patchq.reapply.presence import alike
from patchq.reapply.weave import Woven
from patchq.syntax.outline import Heads, Row, is_head, outline
from patchq.text.margins import Line
from patchq.text.passage import Footing, Found, carry_lines, spliced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.model.attempt import Edit
    from patchq.reapply.weave import Spot, Weave
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node
    from patchq.text.passage import Splice

    Transplant = Callable[[Node, Node, Node, Spot, LanguageFacts], Weave]

_CLASSES = {
    Footing.BOTH: ReviewClass.C,
    Footing.ONE: ReviewClass.C,
    Footing.ALONE: ReviewClass.C,
    Footing.TWINS: ReviewClass.D,
    Footing.SHARED: ReviewClass.D,
}
# `return f()` has four tokens and says nothing of who wrote it.
_TELLING_SIZE = 5
# `return x` and `else:` stand in every function; `x = 1` says something.
_TELLING_TOKENS = 3


@dataclass(frozen=True, slots=True)
class _Merged:
    """A row of upstream with a change of the patch in it."""

    text: bytes
    edits: tuple[Edit, ...]


_Item = Row | _Merged


def thread(
    base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts, transplant: Transplant
) -> Woven | None:
    """Carry base -> theirs into ours, three blocks of one definition; None where a part of it finds no place."""
    heads = Heads()
    of_base, of_theirs, of_ours = (outline(node, spot.address, facts, heads) for node in (base, theirs, ours))
    if not of_base or not of_theirs or not of_ours:
        return None

    def merge(one: Line[_Item], two: Line[_Item], three: Line[_Item]) -> Line[_Item] | None:
        merged = _merged(one.item, two.item, three.item, spot, facts, transplant)
        return None if merged is None else replace(three, item=merged)

    found = carry_lines(_lines(of_base), _lines(of_theirs), _lines(of_ours), merge)
    if not isinstance(found, Found) or _displaces_docstring(found, of_theirs, facts):
        return None
    if any(_suspect(splice, of_ours) for splice in found.splices):
        return None
    edits = [edit for splice in found.splices for edit in _edits(splice, spot)]
    there = [spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream has these lines already")] * found.absorbed
    texts = spliced([row.text for row in of_ours], found, lambda line: _written(line, facts))
    return Woven(_placed(b"\n".join(texts), of_ours, ours), (*edits, *there))


def _merged(
    base: _Item, theirs: _Item, ours: _Item, spot: Spot, facts: LanguageFacts, transplant: Transplant
) -> _Merged | None:
    """Carry a change into a row that upstream has changed too, where each side has one statement or head on it."""
    rows = [row for row in (base, theirs, ours) if isinstance(row, Row) and len(row.parts) == 1]
    if len(rows) != len((base, theirs, ours)):
        return None
    one, two, three = (row.parts[0] for row in rows)
    if one.kind == facts.wrapper and len({row.address.steps[-1:] for row in rows}) > 1:
        return None  # what stands where another definition stood is not that one
    woven = transplant(one, two, three, replace(spot, address=rows[2].address), facts)
    if not isinstance(woven, Woven):
        return None
    source = rows[2].source
    return _Merged(source[rows[2].start : three.start] + woven.text + source[three.end : rows[2].end], woven.edits)


def _placed(text: bytes, rows: Sequence[Row], ours: Node) -> bytes:
    """Cut the text of whole lines to the span of the block, which begins behind an indentation."""
    first, last = rows[0].start, rows[-1].end
    head = ours.source[ours.start : first] + text if first > ours.start else text[ours.start - first :]
    return head + ours.source[last : ours.end] if last < ours.end else head[: len(head) - (last - ours.end)]


def _suspect(splice: Splice[_Item], ours: Sequence[Row]) -> bool:
    """Whether upstream's own new lines beside added ones say about the same: absorbed, and written otherwise.

    Heads of one chain (`elif kind == ...`) are alike by nature, and no chain asks the same twice.
    """
    rivals = [part for at in splice.rivals for part in ours[at].parts]
    added = [part for line in splice.lines if isinstance(line.item, Row) for part in line.item.parts]
    telling = [(one, two) for one in rivals for two in added if one.kind == two.kind and one.has_size(_TELLING_SIZE)]
    return any(not is_head(one) and alike(one, two) for one, two in telling)


def _displaces_docstring(found: Found[_Item], theirs: Sequence[Row], facts: LanguageFacts) -> bool:
    """Whether the bare string that opens the patch's block would not open upstream's: there it says nothing."""
    first = theirs[0].parts
    if len(first) != 1 or len(first[0].children) != 1 or first[0].children[0].kind not in facts.strings:
        return False
    return any(line.item is theirs[0] and splice.start > 0 for splice in found.splices for line in splice.lines)


def _lines(rows: Sequence[Row]) -> list[Line[_Item]]:
    return [
        Line(
            key=b" ".join(b"%d" % same for same in row.same),
            exact=row.text,
            indent=row.indent,
            kind=None if row.blank else row.kind,
            telling=any(part.has_size(_TELLING_TOKENS) for part in row.parts)
            or sum(part.size for part in row.parts) >= _TELLING_TOKENS,
            item=row,
            depth=row.depth,
        )
        for row in rows
    ]


def _written(line: Line[_Item], facts: LanguageFacts) -> bytes:
    match line.item:
        case _Merged(text):
            return text
        case Row():
            return reindent_rows(line.item, line.indent, facts)


def _edits(splice: Splice[_Item], spot: Spot) -> Iterator[Edit]:
    merged = [line.item for line in splice.lines if isinstance(line.item, _Merged)]
    for item in merged:
        yield from item.edits
    if not merged:
        how = f"carried line by line, {splice.footing.value}"
        if splice.reindented:
            how += ", at upstream's indentation"
        yield spot.edit(EditFate.CARRIED, _CLASSES[splice.footing], how)
