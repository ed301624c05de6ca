"""Where a tree has a file or an edit that is not at its path any more: a bounded look at files that are new there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.judgement import Need
from patchq.model.tree import FileState, Mode
from patchq.reapply.pieces import Look, look_for
from patchq.reapply.spots import decoded
from patchq.text.diff import diff
from patchq.text.lines import is_binary, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from patchq.model.tree import TreeReader
    from patchq.reapply.pieces import Piece, Pieces

# Between two releases of a large project 1,500 files of one language differ, 30 MB of them.
MOST_FILES = 4_000
MOST_BYTES = 64 * 1024 * 1024
# Half of the lines must be the same, as for git's renames.
_LIKE = 0.5
# Lines around an edit that are looked for in other files, and how many of those that say something must be there.
_AROUND, _ENOUGH = 12, 0.5
_TELLING = 12  # bytes of a line without its indentation
# An edit that says less than so many words may be anywhere.
_LEAST_WORDS = 2.0
_TEXT = (Mode.REGULAR, Mode.EXECUTABLE)


@dataclass(slots=True)
class Homes:
    """The files of a tree that base does not have, or with other bytes; read when they are first asked for.

    `changed` names them; it may name others too, such as all.
    """

    base: TreeReader
    tree: TreeReader
    changed: Callable[[], Sequence[bytes]]
    _texts: dict[bytes, dict[bytes, FileState]] = field(default_factory=dict)

    def of_file(self, path: bytes, data: bytes) -> tuple[bytes, FileState] | None:
        """Find the one new file with at least half of the lines of `data`; None for none, or for two as good."""
        lines = _bag(data)
        if not lines.total():
            return None
        rated: list[tuple[float, bytes]] = []
        for there, state in self._candidates(path):
            if self.base.read(there) is None:
                bag = _bag(state.data)
                rated.append((2 * (lines & bag).total() / (lines.total() + bag.total()), there))
        rated.sort(reverse=True)
        good = [one for one in rated if one[0] >= _LIKE]
        if not good or (len(good) > 1 and good[0][0] == good[1][0]):
            return None
        return good[0][1], self._texts[_suffix(path)][good[0][1]]

    def of_edit(self, cut: Pieces, piece: Piece, look: Look) -> Look:
        """Find an edit, or the very lines that it changes, in what is new in another file; `look` is what is known.

        That is believed only where one file has it and the edit says enough.
        """
        if cut.weight(piece) < _LEAST_WORDS:
            return look
        wanted = _around(cut, piece)
        if not wanted:
            return look
        found: list[Look] = []
        for path, state in self._candidates(cut.case.path):
            if path in {cut.case.path, cut.case.ours_path} or not _share(wanted, state.data):
                continue
            fresh, rows = self._fresh(path, state)
            if not _share(wanted, fresh):
                continue
            there = look_for(cut, fresh, path)[cut.edits.index(piece)]
            if there.standing.literal and there.finding.line is not None:
                found.append(_moved(there, rows))
        return found[0] if len(found) == 1 else look

    def _fresh(self, path: bytes, state: FileState) -> tuple[bytes, list[int]]:
        """Return the lines that base's file of that name does not have, and their rows: what was there is no move."""
        old = self.base.read(path)
        lines = split_lines(state.data)
        before = () if old is None or old.mode not in _TEXT else split_lines(old.data)
        rows = [row for region in diff(before, lines) for row in range(region.new_start, region.new_end)]
        return b"".join(lines[row] for row in rows), rows

    def _candidates(self, path: bytes) -> Iterator[tuple[bytes, FileState]]:
        """Yield the changed files with the suffix of `path`; none where they are too many, or too large."""
        suffix = _suffix(path)
        if suffix not in self._texts:
            self._texts[suffix] = self._read(suffix)
        yield from self._texts[suffix].items()

    def _read(self, suffix: bytes) -> dict[bytes, FileState]:
        paths = [path for path in self.changed() if _suffix(path) == suffix]
        texts: dict[bytes, FileState] = {}
        total = 0
        for path in paths if len(paths) <= MOST_FILES else ():
            state = self.tree.read(path)
            if state is None or state.mode not in _TEXT:
                continue
            total += len(state.data)
            if total > MOST_BYTES:
                return {}
            if not is_binary(state.data) and self.base.read(path) != state:
                texts[path] = state
        return texts


def _moved(look: Look, rows: Sequence[int]) -> Look:
    line = look.finding.line
    row = None if line is None or line > len(rows) else rows[line - 1] + 1
    where = decoded(look.finding.path)
    there = "it is there" if look.finding.need is Need.ABSORBED else "what it changes is there"
    return replace(look, finding=replace(look.finding, line=row, reason=f"{there}, moved to {where}"))


def _suffix(path: bytes) -> bytes:
    name = path.rpartition(b"/")[2]
    return b"." + name.rpartition(b".")[2] if b"." in name else b""


def _bag(data: bytes) -> Counter[bytes]:
    return Counter(line for raw in split_lines(data) if (line := raw.strip()))


def _around(cut: Pieces, piece: Piece) -> frozenset[bytes]:
    """Collect the lines of base that say something, around an edit and under it."""
    rows = range(max(piece.old.start - _AROUND, 0), min(piece.old.stop + _AROUND, len(cut.base)))
    lines = (cut.base.lines[row].strip() for row in rows)
    return frozenset(line for line in lines if len(line) >= _TELLING)


def _share(wanted: frozenset[bytes], data: bytes) -> bool:
    """Whether enough of the lines are in a text."""
    return sum(line in data for line in wanted) >= max(2, _ENOUGH * len(wanted) / 2)
