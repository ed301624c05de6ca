"""The edits of one file of a patch as questions to upstream's versions of it: is this one there, or all of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from patchq.model.attempt import Carried, Case, EditFate
from patchq.model.change import ChangeKind
from patchq.model.judgement import Need
from patchq.queue.needles import Verbatim, counts, needles, verbatim
from patchq.reapply.ladder import carry
from patchq.reapply.pieces import find, pieces
from patchq.reapply.whole_file import NeedsContent, Settled, whole_file
from patchq.text.diff import Region, diff
from patchq.text.lines import is_binary, split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.tree import FileState
    from patchq.model.upstream import History, Version
    from patchq.queue.sides import Sides

WHOLE = -1  # instead of the number of an edit: the whole change of the file

# Bytes of text that are compared for one patch by more than its very words. The ladder takes up to 10 s for 1 MB of
# them: who brought a patch is worth waiting for, but not for minutes.
MOST_BYTES = 40_000_000


class Found(Protocol):
    """One text's change, of which other texts are asked; made once from its case."""

    def has(self, index: int, path: bytes, ours: bytes) -> bool:
        """Whether `ours`, at `path`, has edit `index` (from 0, in order of the diff), or all of them (`WHOLE`)."""
        ...


Find = Callable[[Case], Found]


@dataclass(frozen=True, slots=True)
class ByLadder:
    """The question that a rebase asks: whether the ladder has nothing left to carry, of all edits or of one alone."""

    case: Case

    def has(self, index: int, path: bytes, ours: bytes) -> bool:
        """Carry the change to `ours`."""
        case = self.case if index == WHOLE else _alone(self.case, index)
        answer = carry(replace(case, ours_path=path, ours=ours))
        return isinstance(answer, Carried) and answer.absorbed is not None


class ByPieces:
    """The quick question: each edit looked for by itself, some 10 ms for all of them; `WHOLE` where each is found."""

    def __init__(self, case: Case) -> None:
        """Cut the change into its edits, which are those of the diff."""
        self._cut = pieces(case)
        self._known: dict[tuple[bytes, bytes], tuple[bool, ...]] = {}

    def has(self, index: int, path: bytes, ours: bytes) -> bool:
        """Look for all edits at once; the answers for one text are kept."""
        key = (path, hashlib.sha256(ours).digest())
        if key not in self._known:
            self._known[key] = tuple(found.need is Need.ABSORBED for found in find(self._cut, ours, path))
        found = self._known[key]
        return all(found) if index == WHOLE else found[index]


@dataclass(slots=True)
class Budget:
    """How many bytes may still be compared."""

    left: int = MOST_BYTES


class OverBudgetError(Exception):
    """The budget is spent: who asks has to do without an answer."""


@dataclass(slots=True)
class SoughtFile:
    """One file of a patch, what upstream calls it, and what is known of it in the versions asked for so far."""

    history: History
    side: Sides
    paths: frozenset[bytes]
    budget: Budget
    edits: tuple[SoughtEdit, ...] = field(init=False)
    whole: SoughtEdit = field(init=False)
    _found: Found | None = field(init=False)
    _words: tuple[Verbatim | None, ...] = field(init=False)
    _answers: dict[tuple[bytes, Version | None, int], bool] = field(init=False, default_factory=dict)

    @classmethod
    def of(cls, history: History, side: Sides, places: Mapping[bytes, bytes], find: Find, budget: Budget) -> SoughtFile:
        """Prepare the questions; `places` says where upstream has moved files."""
        file = cls(history, side, names(side, places), budget)
        case = _case_of(side)
        if case is None:
            # A change that is no text is one edit, and is there or is not.
            file._found, file._words = None, ()
            file.whole = SoughtEdit(file, WHOLE, ())
            file.edits = (file.whole,)
            return file
        old, new = split_lines(case.base), split_lines(case.theirs)
        regions = diff(old, new)
        file._found = find(case)
        file._words = tuple(verbatim(old, new, region) for region in regions)
        sought = [needles(case.base, case.theirs, [region]) for region in regions]
        file.edits = tuple(SoughtEdit(file, index, one) for index, one in enumerate(sought))
        file.whole = SoughtEdit(file, WHOLE, tuple(dict.fromkeys(line for one in sought for line in one)))
        return file

    @property
    def path(self) -> bytes:
        """The path that people know the file by."""
        return self.side.change.path

    def has(self, index: int, state: Mapping[bytes, Version | None]) -> bool:
        """Whether the files have edit `index` (or `WHOLE`), under any of their names; OverBudgetError."""
        if all(version is None for version in state.values()):
            return self._known(index, self.path, None)
        return any(self._known(index, path, version) for path, version in state.items() if version is not None)

    def _known(self, index: int, path: bytes, version: Version | None) -> bool:
        key = (path, version, index)
        if key not in self._answers:
            self._answers[key] = self._has(index, path, version)
        return self._answers[key]

    def _has(self, index: int, path: bytes, version: Version | None) -> bool:
        ours = None if version is None else self.history.read(version)
        answer = whole_file(path, self.side.base, self.side.theirs, ours)
        if isinstance(answer, Settled):
            return answer.fate is EditFate.ABSORBED
        if not isinstance(answer, NeedsContent) or self._found is None or ours is None:
            return False
        words = self._words if index == WHOLE else self._words[index : index + 1]
        plain = {None if one is None else one.there(ours.data) for one in words}
        if plain == {True} or False in plain:
            return plain == {True}
        return self._compared(self._found, index, path, ours)

    def _compared(self, found: Found, index: int, path: bytes, ours: FileState) -> bool:
        if self.budget.left < 0:
            raise OverBudgetError
        self.budget.left -= len(ours.data)
        return found.has(index, path, ours.data)


@dataclass(frozen=True, slots=True)
class SoughtEdit:
    """One edit (or all) of a file as a question for `turns`; `sought` is what to count for it."""

    file: SoughtFile
    index: int
    sought: tuple[bytes, ...]
    signs: dict[tuple[bytes, Version], Hashable] = field(default_factory=dict)

    def ask(self, state: Mapping[bytes, Version | None]) -> bool:
        """Whether it is there."""
        return self.file.has(self.index, state)

    def sign(self, state: Mapping[bytes, Version | None]) -> Hashable:
        """Count the lines it gains and loses; of a file that is no text, the version is all there is to tell."""
        return tuple(
            (path, None if version is None else self._signed(path, version)) for path, version in sorted(state.items())
        )

    def _signed(self, path: bytes, version: Version) -> Hashable:
        if not self.sought:
            return version
        key = (path, version)
        if key not in self.signs:
            self.signs[key] = counts(self.file.history.read(version).data, self.sought)
        return self.signs[key]


def names(side: Sides, places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name where a file may be: what the patch itself moves is there only under its new name."""
    change = side.change
    moves = change.kind in {ChangeKind.RENAME, ChangeKind.COPY}
    source = change.path if moves or change.old_path is None else change.old_path
    return frozenset({source, places.get(source, source)})


def _case_of(side: Sides) -> Case | None:
    base, theirs = side.base, side.theirs
    if base is None or theirs is None or base.mode is not theirs.mode:
        return None
    if base.data == theirs.data or is_binary(base.data) or is_binary(theirs.data):
        return None
    path = side.change.path
    return Case(path=path, ours_path=path, base=base.data, theirs=theirs.data, ours=base.data)


def _alone(case: Case, index: int) -> Case:
    old, new = split_lines(case.base), split_lines(case.theirs)
    region: Region = diff(old, new)[index]
    made: Sequence[bytes] = (*old[: region.old_start], *new[region.new_start : region.new_end], *old[region.old_end :])
    return replace(case, theirs=b"".join(made))
