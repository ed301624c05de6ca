"""Carry the edits of one block line of code by line of code: through a new `if` or `with` around it, or out of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchq.model.attempt import EditFate
from patchq.model.verdict import ReviewClass
from patchq.reapply.indent import reindent_rows
from patchq.reapply.presence import alike
from patchq.reapply.weave import Woven
from patchq.syntax.outline import Heads, Row, is_head, outline
from patchq.text.passage import Footing, Found, Line, carry_lines

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
    Footing.ALONE: ReviewClass.D,
    Footing.SHARED: ReviewClass.D,
}

# `return f()` has four tokens and says nothing of who wrote it.
_TELLING_SIZE = 5


def thread(
    base: Node, theirs: Node, ours: Node, spot: Spot, facts: LanguageFacts, transplant: Transplant
) -> Woven | None:
    """Carry base -> theirs into ours, three blocks of one definition; None where a region of it finds no place."""
    heads = Heads()
    rows = [outline(node, spot.address, facts, heads) for node in (base, theirs, ours)]
    if rows[0] is None or rows[1] is None or rows[2] is None:
        return None
    made: dict[int, tuple[bytes, tuple[Edit, ...]]] = {}

    def merge(one: Line, two: Line, three: Line) -> Line | None:
        parts = [line.item.parts for line in (one, two, three) if _is_row(line)]
        if len(parts) != len((one, two, three)) or any(len(part) != 1 for part in parts):
            return None
        row = three.item
        woven = transplant(parts[0][0], parts[1][0], parts[2][0], replace(spot, address=row.address), facts)
        if not isinstance(woven, Woven):
            return None
        node = parts[2][0]
        text = row.source[row.start : node.start] + woven.text + row.source[node.end : row.end]
        made[len(made)] = (text, woven.edits)
        return replace(three, item=len(made) - 1)

    found = carry_lines(*([_line(row) for row in side] for side in (rows[0], rows[1], rows[2])), merge=merge)
    if not isinstance(found, Found) or _displaces_docstring(found, rows[1], facts):
        return None
    if any(_suspect(splice, rows[2]) for splice in found.splices):
        return None
    edits = [edit for splice in found.splices for edit in _edits(splice, made, spot)]
    there = [spot.edit(EditFate.ABSORBED, ReviewClass.B, "upstream has these lines already")] * found.absorbed
    return Woven(_placed(b"\n".join(_texts(rows[2], found, made, facts)), rows[2], ours), (*edits, *there))


def _placed(text: bytes, rows: Sequence[Row], ours: Node) -> bytes:
    """Cut the text of whole lines to the span of the block, which begins behind an indentation and may end in blanks."""
    first, last = rows[0].start, rows[-1].end
    head = ours.source[ours.start : first] + text if first > ours.start else text[ours.start - first :]
    return head + ours.source[last : ours.end] if last < ours.end else head[: len(head) - (last - ours.end)]


def _suspect(splice: Splice, ours: Sequence[Row]) -> bool:
    """Whether upstream's own new lines beside added ones say about the same: absorbed, and written otherwise?

    Heads of one chain (`elif kind == ...`) are alike by nature, and no chain asks the same twice.
    """
    rivals = [part for at in splice.rivals for part in ours[at].parts]
    added = [part for line in splice.lines if isinstance(line.item, Row) for part in line.item.parts]
    telling = [(one, two) for one in rivals for two in added if one.kind == two.kind and one.size >= _TELLING_SIZE]
    return any(not is_head(one) and alike(one, two) for one, two in telling)


def _displaces_docstring(found: Found, theirs: Sequence[Row], facts: LanguageFacts) -> bool:
    """Whether the bare string that opens the patch's block would not open upstream's: there it says nothing."""
    first = theirs[0].parts
    if len(first) != 1 or len(first[0].children) != 1 or first[0].children[0].kind not in facts.strings:
        return False
    return any(line.item is theirs[0] and splice.start > 0 for splice in found.splices for line in splice.lines)


def _line(row: Row) -> Line:
    key = b" ".join(b"%d" % same for same in row.same)
    return Line(key=key, exact=row.text, indent=row.indent, kind=None if row.blank else row.kind, item=row)


def _is_row(line: Line) -> bool:
    return not isinstance(line.item, int)


def _texts(
    ours: Sequence[Row], found: Found, made: dict[int, tuple[bytes, tuple[Edit, ...]]], facts: LanguageFacts
) -> Iterator[bytes]:
    at = 0
    for splice in found.splices:
        yield from (row.text for row in ours[at : splice.start])
        for line in splice.lines:
            if isinstance(line.item, int):
                yield made[line.item][0]
            else:
                yield reindent_rows(line.item, line.indent, facts)
        at = splice.end
    yield from (row.text for row in ours[at:])


def _edits(splice: Splice, made: dict[int, tuple[bytes, tuple[Edit, ...]]], spot: Spot) -> Iterator[Edit]:
    merged = [line for line in splice.lines if isinstance(line.item, int)]
    for line in merged:
        yield from made[line.item][1]
    if not merged:
        how = f"carried line by line, {splice.footing.value}"
        if splice.reindented:
            how += ", at upstream's indentation"
        yield spot.edit(EditFate.CARRIED, _CLASSES[splice.footing], how)
