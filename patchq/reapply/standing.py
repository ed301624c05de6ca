"""How one edit stands in another text: the word for it, how sure, and why; the only place with thresholds.

They come from 8,867 pairs of a patch and a later or earlier state of its project (9 Python projects, 3,000 of them with
the lines around rewritten), of which history tells the truth. Each is on the safe side for `absorbed`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.judgement import Need
from patchq.model.verdict import AbsorbedHow
from patchq.reapply.aligning import NOWHERE
from patchq.reapply.traces import left_out, place_of

if TYPE_CHECKING:
    from patchq.reapply.aligning import Alignment, Chunk
    from patchq.reapply.pieces import Piece
    from patchq.reapply.traces import Place, Trace, Worth

# Below this weight (a word that stands once in the file counts 1) nothing is proved.
_LEAST = 0.2
_TELLING = 1.0
# Words that say the same in another line, where no line is the same.
_SENTENCE = 4.0
# Nearly all of what an edit brings; half of it where all that it takes away is gone, too.
_MOST, _HALF = 0.8, 0.6
_NONE = 0.1
# Of what an edit takes away: so much left is the old state, so little is none of it.
_STAYED, _WENT = 0.65, 0.35
# What changes the meaning of a line by itself.
_TURNS = re.compile(rb"[=!<>]=|[<>]|!|not|is|in|and|or|&&|\|\||[+*/%-]|True|False|None|true|false|null|\d[\w.]*")
_LAYOUT = frozenset([b"(", b")", b"[", b"]", b"{", b"}", b":", b";"])
# Lines of upstream's own between the neighbours of a place, up to which it is the same place.
_CLOSE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The word for an edit. `literal`: ours has its lines, or those before it, as they are; `weight` is in words.

    `firm` is false for what only supports others; `row` is where it is in ours, or where it would be.
    """

    need: Need
    reason: str
    how: AbsorbedHow | None = None
    literal: bool = False
    firm: bool = True
    weight: float = 0.1
    row: int | None = None


def by_lines(sides: Alignment, chunk: Chunk) -> Standing | None:
    """Judge where ours has the very lines of one side, up to white space and quotes; None where it has neither."""
    base, theirs, ours = (
        side.keys[rows.start : rows.stop]
        for side, rows in ((sides.base, chunk.base), (sides.theirs, chunk.theirs), (sides.ours, chunk.ours))
    )
    written = _written(sides, chunk)
    if written is Need.ABSORBED:
        return Standing(need=written, reason="the same lines are there", how=AbsorbedHow.HUNKS, literal=True)
    if written is Need.NEEDED or (ours == base and ours != theirs):
        return Standing(need=Need.NEEDED, reason="what it changes is there as it was", literal=True)
    if base == theirs:
        return Standing(need=written, reason="it changes white space or quotes of lines that upstream has changed")
    if ours == theirs:
        reason = "the same lines are there, with other white space or quotes"
        return Standing(need=Need.ABSORBED, reason=reason, how=AbsorbedHow.SYNTAX, literal=True)
    return None


def _written(sides: Alignment, chunk: Chunk) -> Need:
    """Compare byte by byte."""
    base, theirs, ours = (
        side.lines[rows.start : rows.stop]
        for side, rows in ((sides.base, chunk.base), (sides.theirs, chunk.theirs), (sides.ours, chunk.ours))
    )
    if base == theirs:
        return Need.UNKNOWN
    return Need.ABSORBED if ours == theirs else Need.NEEDED if ours == base else Need.UNKNOWN


def by_words(sides: Alignment, piece: Piece, trace: Trace, worth: Worth) -> Standing:
    """Judge by what is left of both sides, where upstream has changed the lines too."""
    standing = _by_share(sides, piece, trace, worth)
    return replace(standing, weight=trace.brings + trace.takes + 0.1)


def _by_share(sides: Alignment, piece: Piece, trace: Trace, worth: Worth) -> Standing:
    present = trace.present / trace.brings if trace.brings >= _LEAST else None
    left = trace.left / trace.takes if trace.takes >= _LEAST else None
    place = place_of(sides, piece.old)
    if present is None and left is None:
        return Standing(need=Need.UNKNOWN, reason="it changes so little that nothing shows whether it is there")
    if present is None:
        return _removal(trace, left or 0.0, place)
    gone = left is None or left <= _WENT
    swapped = left is not None and left <= _WENT / 2 and present >= _HALF and trace.brings >= 2 * _TELLING
    if present >= _HALF:
        line = lacking(sides, piece, worth)
        if line is not None:
            reason = f"much of it is there, but not `{line.decode('utf-8', 'replace')}`"
            return Standing(need=Need.UNKNOWN, reason=reason, firm=False)
    if gone and (present >= _MOST or swapped):
        turned = _turned(sides, piece) if present < 1 else None
        if turned is not None:
            reason = f"it is there but for `{turned.decode('utf-8', 'replace')}`: upstream has it otherwise"
            return Standing(need=Need.SUPERSEDED, reason=reason)
        return _there(sides, piece, trace, present)
    if present > _NONE and not _all_new(trace):
        return Standing(need=Need.UNKNOWN, reason=f"{present:.0%} of what it adds is there")
    if left is not None:
        return _replacement(left)
    return _addition(trace, place, present)


def _turned(sides: Alignment, piece: Piece) -> bytes | None:
    """Return a token of the edit that ours lacks, where it lacks nothing but operators, numbers and negations."""
    chunk = sides.chunk(piece.old, piece.new)
    ours = Counter(token for row in chunk.ours for token in sides.ours.tokens(row))
    theirs = Counter(token for row in chunk.theirs for token in sides.theirs.tokens(row))
    missing = [token for token in theirs - ours if token not in _LAYOUT]
    return missing[0] if missing and all(_TURNS.fullmatch(token) for token in missing) else None


def lacking(sides: Alignment, piece: Piece, worth: Worth) -> bytes | None:
    """Return a line that ours lacks in the middle of what it has of an edit; None where all such lines say little."""
    out = tuple(left_out(sides, piece.new))
    if sum(worth.of(token) for row in out for token in sides.theirs.tokens(row)) < _TELLING:
        return None
    return sides.theirs.lines[out[0]].strip()


def _there(sides: Alignment, piece: Piece, trace: Trace, present: float) -> Standing:
    said = "all of what it adds is there" if present >= 1 else f"{present:.0%} of what it adds is there"
    reason = f"{said}, in lines that upstream has changed since"
    whole = any(
        sides.theirs_to_ours[row] != NOWHERE and sides.ours_to_base[sides.theirs_to_ours[row]] == NOWHERE
        for row in piece.new
        if sides.theirs.keys[row]
    )
    if trace.brings < _TELLING and present < 1:
        return Standing(need=Need.UNKNOWN, reason="it adds too little to be known again")
    if whole or trace.brings >= _SENTENCE:
        return Standing(need=Need.ABSORBED, reason=reason, how=AbsorbedHow.SYNTAX)
    # `12: [4, 6, 8]` has all words of `12: [6, 8]`: changed since, or with another value from the start.
    reason = "its words are there, but no line of it: upstream has it in another form"
    return Standing(need=Need.SUPERSEDED, reason=reason, firm=False)


def _removal(trace: Trace, left: float, place: Place) -> Standing:
    if left <= _NONE / 10:
        if place.above and place.below:
            return Standing(need=Need.ABSORBED, reason="what it removes is gone", how=AbsorbedHow.SYNTAX)
        reason = "what it removes is gone, and what was beside it too"
        return Standing(need=Need.ORPHANED, reason=reason, how=AbsorbedHow.SYNTAX, firm=False)
    kept = trace.kept / trace.stands if trace.stands >= _LEAST else 1.0
    if left >= _MOST and kept >= _HALF:
        return Standing(need=Need.NEEDED, reason="what it removes is there")
    return Standing(need=Need.UNKNOWN, reason=f"{left:.0%} of what it removes is there")


def _replacement(left: float) -> Standing:
    if left >= _STAYED:
        return Standing(need=Need.NEEDED, reason="what it replaces is there, and nothing of what it adds")
    if left <= _WENT:
        return Standing(need=Need.SUPERSEDED, reason="upstream has something else in place of what it replaces")
    return Standing(need=Need.UNKNOWN, reason=f"{left:.0%} of what it replaces is there")


def _addition(trace: Trace, place: Place, present: float) -> Standing:
    nothing = "nothing of what it adds is there"
    if trace.stands >= 2 * _LEAST:
        kept = trace.kept / trace.stands
        if kept >= _MOST:
            return Standing(need=Need.NEEDED, reason=f"{nothing}, and the lines that it changes are")
        if kept >= _HALF:
            return Standing(need=Need.NEEDED, reason=f"{nothing}, and most of its lines are", firm=False)
        if kept <= _WENT:
            return Standing(need=Need.SUPERSEDED, reason=f"{nothing}, and upstream has rewritten its lines")
        return Standing(need=Need.UNKNOWN, reason=f"{nothing}, and of its lines {kept:.0%}")
    if place.between is not None and (place.between <= _CLOSE or _all_new(trace)):
        return Standing(need=Need.NEEDED, reason=f"{nothing}, and its place is")
    if place.above or place.below:
        if present > _NONE and not _all_new(trace):
            return Standing(need=Need.UNKNOWN, reason=f"{present:.0%} of what it adds is there")
        return Standing(need=Need.NEEDED, reason=f"{nothing}, and one side of its place is", firm=False)
    return Standing(need=Need.ORPHANED, reason=f"{nothing}, and what was around it neither")


def _all_new(trace: Trace) -> bool:
    """Whether the edit brings words into the file, and hardly one of them is there."""
    return trace.new >= 2 and trace.found <= _NONE * trace.new  # noqa: PLR2004 - one may be a word of upstream's own
