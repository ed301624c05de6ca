"""A file's change cut into its atomic edits, and each of them looked for in another text: there, not there, or what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.judgement import EditFinding, Need
from patchq.model.verdict import AbsorbedHow
from patchq.reapply.aligning import NOWHERE, align, images, lines_of
from patchq.reapply.conditions import new_condition, owner_of, owners, way_out
from patchq.reapply.imported import Lack, imported, lacks, mentions
from patchq.reapply.overruled import covered, overruled
from patchq.reapply.spots import decoded
from patchq.reapply.standing import Standing, by_lines, by_words, lacking
from patchq.reapply.traces import Weighed, Worth
from patchq.syntax.parse import Forest
from patchq.text.diff import diff
from patchq.text.locate import occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.attempt import Case
    from patchq.reapply.aligning import Alignment, Chunk, Lines


_SHOWN = 60  # characters of a line in an anchor
_CONTEXT = 3  # lines, as patches have
# An edit that is looked for at another place: so much of it, and so much to say there.
_ALL_BUT = 0.8
_LEAST, _LEAST_ALONE = 1.0, 2.0


@dataclass(frozen=True, slots=True)
class Piece:
    """One atomic edit: rows `old` of base become rows `new` of theirs; either may be empty."""

    old: range
    new: range


@dataclass(frozen=True, slots=True)
class Look:
    """A finding, and what it rests on."""

    finding: EditFinding
    standing: Standing


@dataclass(frozen=True, slots=True)
class Pieces:
    """The edits of a case in order, with what is known of its base and theirs; made once, asked of many texts."""

    case: Case
    edits: tuple[Piece, ...]
    base: Lines
    theirs: Lines
    base_to_theirs: Sequence[int]
    worth: Worth

    def alone(self, piece: Piece) -> Case:
        """Return the case with this edit only."""
        return replace(self.case, theirs=self.only((piece,)))

    def only(self, edits: Sequence[Piece]) -> bytes:
        """Return base with some of the edits, which are in order."""
        kept: list[bytes] = []
        row = 0
        for piece in edits:
            kept += (*self.base.lines[row : piece.old.start], *self.theirs.lines[piece.new.start : piece.new.stop])
            row = piece.old.stop
        return b"".join((*kept, *self.base.lines[row:]))

    def weight(self, piece: Piece) -> float:
        """Weigh an edit without aligning anything."""
        old, new = (
            {token for row in rows for token in side.tokens(row)}
            for side, rows in ((self.base, piece.old), (self.theirs, piece.new))
        )
        return sum(self.worth.of(token) for token in old ^ new) + 0.1

    def look(self, piece: Piece, path: bytes, standing: Standing) -> Look:
        """Put into words for people how an edit stands in the text of `path`."""
        finding = EditFinding(
            path=path,
            anchor=f"{decoded(path)}::{self._heading(piece)}",
            line=None if standing.row is None else standing.row + 1,
            need=standing.need,
            how=standing.how if standing.need is Need.ABSORBED else None,
            reason=standing.reason,
        )
        return Look(finding, standing)

    def _heading(self, piece: Piece) -> str:
        """Name what an edit is in by the line above with less indentation."""
        side, rows = (self.theirs, piece.new) if piece.new else (self.base, piece.old)
        owner = owner_of(side, side.telling(rows))
        return "" if owner is None else side.lines[owner].strip().decode("utf-8", "replace")[:_SHOWN]


def pieces(case: Case) -> Pieces:
    """Cut base -> theirs into its change blocks; `case.ours` is not looked at."""
    base, theirs = lines_of(case.base), lines_of(case.theirs)
    edits = tuple(
        Piece(range(region.old_start, region.old_end), range(region.new_start, region.new_end))
        for region in diff(base.lines, theirs.lines)
    )
    return Pieces(case, edits, base, theirs, _kept(edits, base, theirs), Worth(case.base, case.theirs))


def _kept(edits: Sequence[Piece], base: Lines, theirs: Lines) -> list[int]:
    """Map rows of base to those of theirs: all outside of the edits, and in them those that only look different."""
    found = [NOWHERE] * len(base)
    row = other = 0
    for piece in edits:
        found[row : piece.old.start] = range(other, piece.new.start)
        old, new = base.keys[piece.old.start : piece.old.stop], theirs.keys[piece.new.start : piece.new.stop]
        for at, there in enumerate(images(old, new)):
            if there != NOWHERE:
                found[piece.old.start + at] = piece.new.start + there
        row, other = piece.old.stop, piece.new.stop
    found[row:] = range(other, len(theirs))
    return found


def find(cut: Pieces, ours: bytes, path: bytes | None = None) -> tuple[EditFinding, ...]:
    """Say of every edit whether `ours` (the text of `path`, else of the case's `ours_path`) has it, in order."""
    return tuple(look.finding for look in look_for(cut, ours, path))


def look_for(cut: Pieces, ours: bytes, path: bytes | None = None) -> tuple[Look, ...]:
    """Find every edit, with how sure that is. About 10 ms for a file of 1,000 lines that has changed a little."""
    there = cut.case.ours_path if path is None else path
    if ours == cut.case.theirs != cut.case.base:
        same = Standing(need=Need.ABSORBED, reason="the file is the patched one", how=AbsorbedHow.TREE, literal=True)
        return tuple(
            cut.look(piece, there, replace(same, row=piece.new.start, weight=cut.weight(piece))) for piece in cut.edits
        )
    if ours == cut.case.base:
        same = Standing(need=Need.NEEDED, reason="the file is as it was", literal=True)
        return tuple(
            cut.look(piece, there, replace(same, row=piece.old.start, weight=cut.weight(piece))) for piece in cut.edits
        )
    search = _Search(cut, align(cut.base, cut.theirs, cut.base_to_theirs, lines_of(ours)), ours, there)
    return tuple(
        cut.look(piece, there, standing) for piece, standing in zip(cut.edits, search.standings(), strict=True)
    )


@dataclass(slots=True)
class _Search:
    """One text to be searched; what several edits ask for is kept."""

    cut: Pieces
    sides: Alignment
    ours: bytes
    path: bytes
    forest: Forest = field(default_factory=Forest)
    _weighed: dict[tuple[int, int, int], Weighed] = field(default_factory=dict)
    _new_rows: dict[bytes, list[int]] | None = None
    _text: bytes | None = None

    def standings(self) -> list[Standing]:
        """Judge every edit, and of imports that seem missing where others are there, whether they are missed."""
        found = [self.standing(piece) for piece in self.cut.edits]
        if not any(one.need is Need.ABSORBED for one in found):
            return found
        case = replace(self.cut.case, ours_path=self.path, ours=self.ours)
        again = overruled(case, self.forest)
        if again is not None:
            return [
                replace(one, need=Need.SUPERSEDED, reason=again, firm=True) if one.need is Need.ABSORBED else one
                for one in found
            ]
        for at, (piece, one) in enumerate(zip(self.cut.edits, found, strict=True)):
            idle = self._idle(piece) if one.need is Need.NEEDED else None
            if idle is not None:
                found[at] = Standing(need=Need.UNKNOWN, reason=idle, weight=0.0, row=one.row)
            elif one.need is Need.ABSORBED and one.literal and self._uses_itself(piece):
                found[at] = replace(one, literal=False)
        return found

    def standing(self, piece: Piece) -> Standing:
        """Judge one edit."""
        chunk = self.sides.chunk(piece.old, piece.new)
        row = self._row(piece, chunk)
        standing = by_lines(self.sides, chunk)
        words = self.cut.weight(piece)
        if standing is None:
            standing = self._by_words(piece, chunk)
            if standing.weight and not (standing.firm and standing.need in {Need.ABSORBED, Need.NEEDED}):
                standing, row = self._by_context(piece) or (standing, row)
        if standing.literal:
            standing = replace(standing, weight=words)
        if standing.need is Need.NEEDED or (standing.need is Need.UNKNOWN and standing.firm):
            block = self._elsewhere(piece, whole=standing.literal)
            if block is not None:
                reason = "the same lines are there, at another place"
                standing = replace(
                    standing, need=Need.ABSORBED, reason=reason, how=AbsorbedHow.SYNTAX, literal=False, firm=True
                )
                row = block
        if standing.need is Need.ABSORBED:
            idle = self._without_effect(piece, row)
            if idle is not None:
                standing = replace(standing, need=Need.SUPERSEDED, reason=f"it is there, but {idle}", firm=True)
        return replace(standing, row=row)

    def _without_effect(self, piece: Piece, row: int | None) -> str | None:
        """Say where ours has an edit that does nothing there."""
        condition = new_condition(self.sides, piece.new)
        if condition is not None:
            return f"under `{condition.decode('utf-8', 'replace')}`"
        out = way_out(self.sides, piece.new)
        if out is not None:
            return f"behind `{out.decode('utf-8', 'replace')}`"
        first = self.cut.theirs.telling(piece.new) if piece.new else None
        if row is None or first is None or self.sides.ours_to_base[row] != NOWHERE:
            return None
        path = self.cut.case.path
        if covered(self.ours, path, row, self.forest) and not covered(self.cut.case.theirs, path, first, self.forest):
            return "in a string or comment"
        return None

    def _by_context(self, piece: Piece) -> tuple[Standing, int] | None:
        """Find the lines of one side, with three more on each side, in one place, where base had nothing else."""
        places: list[int | None] = []
        for side, rows in ((self.cut.base, piece.old), (self.cut.theirs, piece.new)):
            start, stop = max(rows.start - _CONTEXT, 0), min(rows.stop + _CONTEXT, len(side))
            found = occurrences([key + b"\n" for key in side.keys[start:stop]], self._keys(), limit=2)
            if len(found) > 1:
                return None
            places.append(found[0] + rows.start - start if found else None)
        before, after = places
        if (before is None) == (after is None):
            return None
        if before is not None:
            if self._was_else(piece.old, before):
                return None
            reason = "what it changes is there as it was, with the lines around it"
            return Standing(need=Need.NEEDED, reason=reason, weight=self.cut.weight(piece)), before
        if after is None or self._was_else(piece.old, after):
            return None
        reason = "the same lines are there"
        return Standing(need=Need.ABSORBED, reason=reason, how=AbsorbedHow.SYNTAX, literal=True), after

    def _was_else(self, old: range, row: int) -> bool:
        """Whether the line above the edit was another one in base: then this is a twin of the place."""
        above = old.start - 1
        there = self.sides.ours_to_base[row - 1] if row > 0 else above
        return there not in {above, NOWHERE}

    def _keys(self) -> bytes:
        if self._text is None:
            self._text = b"".join(key + b"\n" for key in self.sides.ours.keys)
        return self._text

    def _by_words(self, piece: Piece, chunk: Chunk) -> Standing:
        key = (chunk.base.start, chunk.base.stop, chunk.theirs.start)
        weighed = self._weighed.get(key)
        if weighed is None:
            weighed = self._weighed[key] = Weighed(self.sides, chunk, self.cut.worth, self.ours)
        if weighed.reflowed:
            reason = "the same words are there, in other lines"
            weight = self.cut.weight(piece)
            return Standing(need=Need.ABSORBED, reason=reason, how=AbsorbedHow.SYNTAX, literal=True, weight=weight)
        if weighed.big:
            return Standing(need=Need.UNKNOWN, reason="too much has changed around it", weight=self.cut.weight(piece))
        standing = by_words(self.sides, piece, weighed.trace(piece.old, piece.new), self.cut.worth)
        if standing.need is Need.ABSORBED:
            return standing
        names = imported([self.cut.theirs.lines[row] for row in piece.new if self.cut.theirs.keys[row]])
        if not names:
            return standing
        if lacks(names, self.cut.case.path, self.ours) is Lack.MISSING:
            return replace(standing, need=Need.NEEDED, reason="what it imports is missing there", literal=True)
        return replace(standing, need=Need.UNKNOWN, reason="nothing lacks there what it imports", weight=0.0, firm=True)

    def _imports(self, piece: Piece) -> frozenset[bytes]:
        """Return the names that an edit imports, if it adds imports and does nothing else."""
        if any(self.cut.base.keys[row] for row in piece.old):
            return frozenset()
        return imported([self.cut.theirs.lines[row] for row in piece.new if self.cut.theirs.keys[row]])

    def _uses_itself(self, piece: Piece) -> bool:
        """Whether an edit only imports what ours uses for itself: an import that came for that is not half a patch.

        Of 32 needed patches that were taken for half absorbed, 5 had nothing but that. Without a parser nobody knows.
        """
        names = self._imports(piece)
        added = {self.cut.theirs.keys[row] for row in piece.new}
        without = b"".join(
            line for line, key in zip(self.sides.ours.lines, self.sides.ours.keys, strict=True) if key not in added
        )
        return bool(names) and lacks(names, self.path, without) is Lack.MISSING

    def _idle(self, piece: Piece) -> str | None:
        """Say why an edit that only imports names is not missing: ours uses none of them, or has them from elsewhere.

        An import goes with its last use, and moves alone. Only names that the patch brings into the file count, and
        that it uses there: what a package gives on (`__all__`, a bare import in `__init__`) is missing where it is not.
        """
        rows, names = piece.new, self._imports(piece)
        if not names:
            return None
        rest = b"".join((*self.cut.theirs.lines[: rows.start], *self.cut.theirs.lines[rows.stop :]))
        if not all(mentions(name, rest) for name in names):
            return None
        if not any(mentions(name, self.ours) for name in names):
            return "nothing uses there what it imports"
        if any(mentions(name, self.cut.case.base) for name in names):
            return None
        elsewhere = set[bytes]().union(*(imported([line]) for line in self.sides.ours.lines))
        return "upstream imports it at another place" if names <= elsewhere else None

    def _row(self, piece: Piece, chunk: Chunk) -> int | None:
        for rows, image in ((piece.new, self.sides.theirs_to_ours), (piece.old, self.sides.base_to_ours)):
            found = next((image[row] for row in rows if image[row] != NOWHERE), None)
            if found is not None:
                return found
        last = len(self.sides.ours) - 1
        return min(chunk.ours.start, last) if last >= 0 else None

    def _elsewhere(self, piece: Piece, *, whole: bool) -> int | None:
        """Find the lines that an edit adds among those that upstream has added, close together; return the first row.

        Where the edit's own place is as it was (`whole`) all of them, in a block of the same owner: a list has a new
        member at another place, or a class a method. Else most of them.
        """
        sides = self.sides
        rows = [row for row in piece.new if sides.theirs.keys[row]]
        weight = sum(self.cut.worth.of(token) for row in rows for token in set(sides.theirs.tokens(row)))
        if not rows or weight < _LEAST:
            return None
        if self._new_rows is None:
            self._new_rows = {}
            for row, key in enumerate(sides.ours.keys):
                if key and sides.ours_to_base[row] == NOWHERE:
                    self._new_rows.setdefault(key, []).append(row)
        if not whole and lacking(sides, piece, self.cut.worth) is not None:
            return None
        found = [places for row in rows if (places := self._new_rows.get(sides.theirs.keys[row]))]
        if len(found) < (len(rows) if whole else _ALL_BUT * len(rows)):
            return None
        start = found[0][0]
        if whole and weight < _LEAST_ALONE:
            return None
        if not self._same_owner(rows[0], start, known=whole):
            return None
        near = sum(any(abs(place - start) <= 2 * len(rows) + 10 for place in places) for places in found)
        return start if near >= _ALL_BUT * len(found) else None

    def _same_owner(self, row: int, here: int, *, known: bool) -> bool:
        """Whether a row of theirs and one of ours stand below the same lines; one that ours lacks may be renamed."""
        sides = self.sides
        above, around = list(owners(sides.theirs, row)), list(owners(sides.ours, here))
        if len(above) != len(around):
            return False
        for owner, holder in zip(above, around, strict=True):
            key = sides.theirs.keys[owner]
            if sides.ours.keys[holder] != key and (known or key in sides.ours.keys):
                return False
        return True
