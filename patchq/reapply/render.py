"""Write a merged list in upstream's own style: separators, line ends and indentation come from what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
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


class Above(Enum):
    """What an added member stands below."""

    OWN = "the member that it stands below in the patch"
    OTHER = "a member that upstream has there"
    GROUP = "a member of its own group, such as imports of one kind"


@dataclass(frozen=True, slots=True)
class Fresh:
    """A member that the patch adds: number `member` of the patch's strip; `heads` the group of the one behind it."""

    strip: Strip
    member: int
    above: Above = Above.OWN
    heads: bool = False

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
    same: int = -1  # identity of a member of upstream
    indent: bytes = b""  # that of an added member
    first: bool = False  # stood first upstream: its lead is the list's opening
    bare: bool = False  # no separator can follow: not the last member, and there was none
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
            return _parts(ours, rows)
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
                    comment=segment.member.kind in facts.comments,
                    same=segment.member.same,
                    first=k == 0,
                    bare=_bare(ours, k, facts),
                )
            )
        rows.extend(_fresh_row(new, ours, facts) for new in fresh.get(k, ()))
    return rows


def _bare(strip: Strip, member: int, facts: LanguageFacts) -> bool:
    """Whether a member that is not the last stands without a separator, as `#ifdef` inside a list does."""
    behind = (strip.segments[k].member.kind for k in range(member + 1, len(strip.segments)))
    return not strip.segments[member].separator and any(kind not in facts.comments for kind in behind)


def _fresh_row(new: Fresh, ours: Strip, facts: LanguageFacts) -> _Row:
    segment = new.segment
    member = segment.member
    source = facts.margin(member.source, member.start)
    if ours.layout is Layout.PARTS:
        # A part of a construct is indented from where the construct begins, a member of a list from where it does.
        source = facts.margin(member.source, new.strip.node.start)
        target = facts.margin(ours.node.source, ours.node.start)
    elif ours.layout is Layout.LINES:
        target = source if facts.is_flush(member) else _block_indentation(ours, new, facts)
    else:
        target = _member_indentation(ours, facts)
    lead = None
    if ours.layout is Layout.PARTS:
        lead = segment.lead.replace(b"\n" + source, b"\n" + target)
    return _Row(
        lead=lead,
        body=reindent(member, source, target, facts),
        middle=segment.middle,
        separator=segment.separator,
        trail=segment.trail,
        comment=member.kind in facts.comments,
        indent=target,
        bare=_bare(new.strip, new.member, facts),
        fresh=new,
    )


def _joined(row: _Row, lead: bytes) -> bytes:
    return lead + row.body + row.middle + row.separator + row.trail


def _member_indentation(strip: Strip, facts: LanguageFacts) -> bytes:
    """Give the indentation of the first member that begins a line, or else of the line on which the list begins."""
    for segment in strip.segments:
        if not facts.is_flush(segment.member) and facts.opens_line(strip.node.source, segment.member.start):
            return facts.margin(strip.node.source, segment.member.start)
    return facts.margin(strip.node.source, strip.node.start)


def _newlines(row: _Row) -> int:
    """How many line ends stand before an added member in the patch's own text."""
    if row.fresh is None or row.fresh.member == 0:
        return 1
    return max(1, row.fresh.segment.lead.count(b"\n"))


def _newlines_behind(row: _Row) -> int:
    """How many line ends follow an added member in the patch's own text, before the next member."""
    if row.fresh is not None and row.fresh.heads:
        return 1
    if row.fresh is None or _is_last(row.fresh):
        return 1
    return max(1, row.fresh.strip.segments[row.fresh.member + 1].lead.count(b"\n"))


def _block_indentation(ours: Strip, new: Fresh, facts: LanguageFacts) -> bytes:
    """Give the indentation of a block's members; an empty pair of brackets gets the patch's step to the right."""
    indent = _member_indentation(ours, facts)
    if ours.segments or not ours.bracketed:
        return indent
    theirs = new.strip
    outer = facts.margin(theirs.node.source, theirs.node.start)
    return indent + _member_indentation(theirs, facts).removeprefix(outer)


def _lines(ours: Strip, rows: Sequence[_Row], facts: LanguageFacts) -> bytes:
    indent = _member_indentation(ours, facts)
    out = [ours.opening]
    for index, row in enumerate(rows):
        if index == 0:
            lead = _opening_lead(ours, row)
        elif row.fresh is not None and row.fresh.above is Above.GROUP:
            lead = b"\n" + row.indent
        elif row.fresh is not None and row.fresh.heads:
            lead = b"\n" * _newlines_below(rows, index) + row.indent
        elif row.fresh is not None and row.fresh.above is Above.OTHER:
            lead = b"\n" * min(_newlines(row), _newlines_below(rows, index)) + row.indent
        elif row.fresh is not None:
            lead = b"\n" * _newlines(row) + row.indent
        elif row.first:
            lead = b"\n" * _newlines_behind(rows[index - 1]) + (_own_indentation(ours.segments[0], facts) or indent)
        else:
            lead = _behind(rows[index - 1], row)
        out.append(_joined(row, lead))
    closing = ours.closing
    if ours.bracketed and any(row.fresh for row in rows) and b"\n" not in closing:
        closing = b"\n" + facts.margin(ours.node.source, ours.node.start) + closing.lstrip()
    return b"".join([*out, closing])


def _newlines_below(rows: Sequence[_Row], index: int) -> int:
    """How many line ends stand before the next member of upstream: the gap that added ones have come into."""
    below = (row.lead or b"" for row in rows[index + 1 :] if row.fresh is None)
    return max(1, next((lead.count(b"\n") for lead in below), _newlines(rows[index])))


def _opening_lead(ours: Strip, row: _Row) -> bytes:
    if not ours.bracketed:
        return b""
    if row.fresh is not None:
        return b"\n" * max(1, row.fresh.segment.lead.count(b"\n")) + row.indent
    return ours.segments[0].lead


def _own_indentation(segment: Segment, facts: LanguageFacts) -> bytes:
    return facts.margin(segment.member.source, segment.member.start)


def _behind(before: _Row, row: _Row) -> bytes:
    """Give the lead of a member of upstream; the gap before it may have become the gap before an added one."""
    lead = row.lead or b""
    if before.fresh is not None and before.fresh.heads:
        return b"\n" + lead.rpartition(b"\n")[2]
    if before.fresh is None or _is_last(before.fresh) or _newlines(before) != lead.count(b"\n"):
        return lead
    behind = _newlines_behind(before)
    if behind > lead.count(b"\n") and before.fresh.strip.segments[before.fresh.member + 1].member.same != row.same:
        return lead  # upstream has added it at this place too, and leaves no more room before it
    return b"\n" * behind + lead.rpartition(b"\n")[2]


def _is_last(fresh: Fresh) -> bool:
    return fresh.member + 1 == len(fresh.strip.segments)


def _separated(ours: Strip, rows: Sequence[_Row], facts: LanguageFacts) -> bytes:
    members = [index for index, row in enumerate(rows) if not row.comment]
    last = members[-1] if members else -1
    trailing = _trails(ours, len(members), facts)
    multi_line = ours.multi_line
    indent = _member_indentation(ours, facts)
    # Without brackets a line end would need an escape, such as the backslash of a long `import`.
    between = b"\n" + indent if multi_line and ours.bracketed else b" "
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
        if (commented or (row.comment and row.fresh is not None and facts.ends_line(row.body))) and b"\n" not in lead:
            lead = b"\n" + indent
        out.append(lead + row.body + row.middle)
        if not row.comment and not row.bare and (index != last or trailing):
            out.append(b",")
        out.append(row.trail)
        commented = facts.ends_line(row.body if row.comment else row.trail.strip())
    closing = ours.closing
    if commented and not closing.lstrip(b" \t").startswith(b"\n"):
        closing = b"\n" + line_indent + closing.lstrip()
    return b"".join([*out, closing])


def _parts(ours: Strip, rows: Sequence[_Row]) -> bytes:
    """Join the parts of one construct; what comes before upstream's first part keeps its distance to the next one."""
    out = [ours.opening]
    for index, row in enumerate(rows):
        lead = row.lead or b""
        if index == 0:
            lead = b""
        elif row.first:
            fresh = rows[index - 1].fresh
            lead = b" " if fresh is None or _is_last(fresh) else fresh.strip.segments[fresh.member + 1].lead
        out.append(_joined(row, lead))
    return b"".join([*out, ours.closing])


def _trails(ours: Strip, members: int, facts: LanguageFacts) -> bool:
    """Whether a separator stands behind the last of `members` members, as upstream writes it or as one of them needs.

    A tuple of one needs it; what upstream writes as one in brackets, such as Rust's type `(A)`, is none.
    """
    own = [segment for segment in ours.segments if segment.member.kind not in facts.comments]
    if own and own[-1].separator:
        return True
    return members == 1 and len(own) != 1 and facts.kin(ours.node) in facts.commaed


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
