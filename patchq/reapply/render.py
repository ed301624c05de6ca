"""Write a merged list in upstream's own style: separators, line ends and indentation come from what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from patchq.reapply.indent import reindent
from patchq.syntax.facts import Layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.strip import Segment, Strip


@dataclass(frozen=True, slots=True)
class Kept:
    """A member of upstream with its new text and the comment behind it."""

    body: bytes
    trail: bytes


@dataclass(frozen=True, slots=True)
class Fresh:
    """A member that the patch adds: number `member` of the patch's strip."""

    strip: Strip
    member: int

    @property
    def segment(self) -> Segment:
        """The member as the patch has it."""
        return self.strip.segments[self.member]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One member on its way out; `lead` is None where the style decides."""

    lead: bytes | None
    body: bytes
    middle: bytes
    separator: bytes
    trail: bytes
    comment: bool
    first: bool = False  # stood first upstream: its lead is the list's opening
    fresh: Fresh | None = None


def render(
    ours: Strip, kept: Mapping[int, Kept | None], fresh: Mapping[int, Sequence[Fresh]], facts: LanguageFacts
) -> bytes:
    """Return the new text of `ours.node`.

    `kept` has the members of ours that changed (None: dropped), `fresh` the added ones by the member they follow
    (-1: none). Without any of them the text is upstream's, byte for byte.
    """
    rows = _rows(ours, kept, fresh, facts)
    match ours.layout:
        case Layout.SEPARATED:
            return _separated(ours, rows, facts)
        case Layout.LINES:
            return _lines(ours, rows, facts)
        case Layout.CHAIN:
            return _chain(ours, rows)
        case Layout.PARTS:
            return ours.opening + b"".join(_joined(row, row.lead or b"") for row in rows) + ours.closing
        case _:
            assert_never(ours.layout)


def _rows(
    ours: Strip, kept: Mapping[int, Kept | None], fresh: Mapping[int, Sequence[Fresh]], facts: LanguageFacts
) -> list[_Row]:
    rows = [_fresh_row(new, ours, facts) for new in fresh.get(-1, ())]
    for k, segment in enumerate(ours.segments):
        form = kept.get(k, Kept(segment.body, segment.trail))
        if form is not None:
            rows.append(
                _Row(
                    lead=segment.lead,
                    body=form.body,
                    middle=segment.middle,
                    separator=segment.separator,
                    trail=form.trail,
                    comment=segment.member.kind == facts.comment,
                    first=k == 0,
                )
            )
        rows.extend(_fresh_row(new, ours, facts) for new in fresh.get(k, ()))
    return rows


def _fresh_row(new: Fresh, ours: Strip, facts: LanguageFacts) -> _Row:
    segment = new.segment
    member = segment.member
    target = (
        _member_indentation(ours, facts)
        if ours.layout is not Layout.PARTS
        else facts.margin(ours.node.source, ours.node.start)
    )
    # A part of a construct is indented from where the construct begins, a member of a list from where it does itself.
    origin = new.strip.node if ours.layout is Layout.PARTS else member
    source = facts.margin(member.source, origin.start)
    lead = None
    if ours.layout is Layout.PARTS:
        lead = segment.lead.replace(b"\n" + source, b"\n" + target)
    return _Row(
        lead=lead,
        body=reindent(member, source, target, facts),
        middle=segment.middle,
        separator=segment.separator,
        trail=segment.trail,
        comment=member.kind == facts.comment,
        fresh=new,
    )


def _joined(row: _Row, lead: bytes) -> bytes:
    return lead + row.body + row.middle + row.separator + row.trail


def _member_indentation(strip: Strip, facts: LanguageFacts) -> bytes:
    """Give the indentation of the first member that begins a line, or else of the line on which the list begins."""
    for segment in strip.segments:
        if facts.opens_line(strip.node.source, segment.member.start):
            return facts.margin(strip.node.source, segment.member.start)
    return facts.margin(strip.node.source, strip.node.start)


def _newlines(row: _Row) -> int:
    """How many line ends stand before an added member in the patch's own text."""
    if row.fresh is None or row.fresh.member == 0:
        return 1
    return max(1, row.fresh.segment.lead.count(b"\n"))


def _newlines_behind(row: _Row) -> int:
    """How many line ends follow an added member in the patch's own text, before the next member."""
    if row.fresh is None or _is_last(row.fresh):
        return 1
    return max(1, row.fresh.strip.segments[row.fresh.member + 1].lead.count(b"\n"))


def _lines(ours: Strip, rows: Sequence[_Row], facts: LanguageFacts) -> bytes:
    indent = _member_indentation(ours, facts)
    out = [ours.opening]
    for index, row in enumerate(rows):
        if index == 0:
            lead = b""
        elif row.fresh is not None:
            lead = b"\n" * _newlines(row) + indent
        elif row.first:
            lead = b"\n" * _newlines_behind(rows[index - 1]) + indent
        else:
            lead = _behind(rows[index - 1], row, indent)
        out.append(_joined(row, lead))
    return b"".join([*out, ours.closing])


def _behind(before: _Row, row: _Row, indent: bytes) -> bytes:
    """Give the lead of a member of upstream; the gap before it may have become the gap before an added one."""
    lead = row.lead or b""
    if before.fresh is None or _is_last(before.fresh) or _newlines(before) != lead.count(b"\n"):
        return lead
    return b"\n" * _newlines_behind(before) + indent


def _is_last(fresh: Fresh) -> bool:
    return fresh.member + 1 == len(fresh.strip.segments)


def _separated(ours: Strip, rows: Sequence[_Row], facts: LanguageFacts) -> bytes:
    members = [index for index, row in enumerate(rows) if not row.comment]
    last = members[-1] if members else -1
    trailing = ours.trailing_separator or (facts.kin(ours.node) in facts.commaed and len(members) == 1)
    multi_line = ours.multi_line
    indent = _member_indentation(ours, facts)
    between = b"\n" + indent if multi_line else b" "
    opening_lead = ours.segments[0].lead if ours.segments else (between if multi_line else b"")
    line_indent = facts.margin(ours.node.source, ours.node.start)
    out = [ours.opening]
    commented = False
    for index, row in enumerate(rows):
        lead = between if row.fresh is not None or row.first else row.lead or b""
        if row.first and index and b"\n" in opening_lead:
            lead = opening_lead
        if index == 0:
            lead = opening_lead
        if (commented or (row.comment and row.fresh is not None)) and b"\n" not in lead:
            lead = b"\n" + indent
        out.append(lead + row.body + row.middle)
        if not row.comment and (index != last or trailing):
            out.append(b",")
        out.append(row.trail)
        commented = row.comment or bool(row.trail.strip())
    closing = ours.closing
    if commented and not closing.lstrip(b" \t").startswith(b"\n"):
        closing = b"\n" + line_indent + closing.lstrip()
    return b"".join([*out, closing])


def _chain(ours: Strip, rows: Sequence[_Row]) -> bytes:
    leads = [segment.lead for segment in ours.segments[1:] if segment.lead.split() == [ours.operator]]
    style = leads[-1] if leads else b" " + ours.operator + b" "
    if any(row.fresh is not None and b"\n" in row.fresh.segment.lead for row in rows):
        # The patch continues its lines with a backslash; so may upstream.
        style = next((s.lead for s in reversed(ours.segments[1:]) if _said(s.lead) == [ours.operator]), style)
    out = [ours.opening]
    for index, row in enumerate(rows):
        lead = b"" if index == 0 else style if row.fresh is not None or row.first else row.lead or b""
        out.append(_joined(row, lead))
    return b"".join([*out, ours.closing])


def _said(lead: bytes) -> list[bytes]:
    """Give the words between two operands; a backslash at a line's end is none."""
    return lead.replace(b"\\\n", b" ").split()
