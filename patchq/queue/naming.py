"""Which commits of upstream brought the edits of a patch, or took them back: each verified against its parent."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import Carried, Case, EditFate
from patchq.model.change import ChangeKind
from patchq.queue.needles import Verbatim, counts, needles, verbatim
from patchq.queue.turns import Turn, turns
from patchq.reapply.ladder import carry
from patchq.reapply.whole_file import NeedsContent, Settled, whole_file
from patchq.text.diff import Region, diff
from patchq.text.lines import is_binary, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from patchq.model.tree import FileState
    from patchq.model.upstream import History, Version
    from patchq.queue.sides import Sides

# Whether upstream's text (`case.ours`) has all that the case changes.
Ask = Callable[[Case], bool]

MOST_EDITS = 40  # of one file that are looked for one by one; the rest of a larger patch goes with its neighbours

WHOLE = -1  # instead of the number of an edit: the whole change of the file


def absorbed(case: Case) -> bool:
    """Ask the ladder: the question that a rebase asks, too."""
    answer = carry(case)
    return isinstance(answer, Carried) and answer.absorbed is not None


@dataclass(frozen=True, slots=True)
class Landing:
    """One edit of a patch, by the path that the patch has it at, and the commit that made it true or false."""

    path: bytes
    turn: Turn[bool]


@dataclass(frozen=True, slots=True)
class Named:
    """What history shows of a patch: its landings, each edit once, in the order of the patch.

    `unknown` counts the edits that are there without a commit that can be shown to have brought them.
    """

    landings: tuple[Landing, ...]
    unknown: int = 0

    def newest_first(self, history: History) -> tuple[Turn[bool], ...]:
        """Return the turns, each commit once: the first one completed the patch."""
        known: dict[str, Turn[bool]] = {}
        for landing in self.landings:
            known.setdefault(landing.turn.step.commit, landing.turn)
        return tuple(sorted(known.values(), key=lambda turn: _rank(history, turn)))


def landings(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], ask: Ask = absorbed) -> Named:
    """Name for each edit that the tip has the last commit that made it true: there it is, in its parent it is not.

    `sides` are the files of the patch on its own base, `places` where upstream has moved them since (path by path).
    An edit that landed, was reverted and landed again has the last landing. Edits that the tip lacks are left out.
    """
    found: list[Landing] = []
    unknown = 0
    for file in _files(history, sides, places, ask):
        for turn in _file_landings(history, file):
            if turn is None:
                unknown += 1
            else:
                found.append(Landing(file.path, turn))
    return Named(tuple(found), unknown)


def reverts(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], ask: Ask = absorbed) -> Named:
    """Name for each edit that the tip lacks the last commit that took it away: in its parent it was there.

    Takes what `landings` takes; edits that were never there are left out.
    """
    found: list[Landing] = []
    for file in _files(history, sides, places, ask):
        for index in range(len(file.blocks)):
            turn = next(turns(history, _Edit(file, index), file.paths), None)
            if turn is not None and not turn.after:
                found.append(Landing(file.path, turn))
    return Named(tuple(found))


def _file_landings(history: History, file: _File) -> Iterator[Turn[bool] | None]:
    """Yield the landing of each edit that the tip has, None where history does not show one."""
    tip = history.versions(history.tip, file.paths)
    whole = _Edit(file, WHOLE)
    all_there = whole.ask(tip)
    completed = _landing(history, whole) if all_there else None
    for index in range(len(file.blocks)):
        edit = _Edit(file, index)
        if all_there and (completed is None or not edit.ask(completed.old)):
            # What was not there before the whole was, and is a part of it ever since, came with it.
            yield completed
        elif all_there or edit.ask(tip):
            yield _landing(history, edit) or completed


def _landing(history: History, edit: _Edit) -> Turn[bool] | None:
    turn = next(turns(history, edit, edit.file.paths), None)
    return turn if turn is not None and turn.after else None


def paths_of(sides: Sequence[Sides], places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name the paths whose history `landings` and `reverts` look at."""
    return frozenset(path for side in sides for path in _names(side, places))


def _rank(history: History, turn: Turn[bool]) -> tuple[int, int]:
    """Order by when a commit came to the tip's own line, then by the commit itself."""
    line = turn.merges[0] if turn.merges else turn.step
    return history.rank(line.commit), history.rank(turn.step.commit)


def _files(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], ask: Ask) -> Iterator[_File]:
    return (_File(history, side, _names(side, places), ask) for side in sides)


def _names(side: Sides, places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name where a file may be: what the patch itself moves is there only under its new name."""
    change = side.change
    moves = change.kind in {ChangeKind.RENAME, ChangeKind.COPY}
    source = change.path if moves or change.old_path is None else change.old_path
    return frozenset({source, places.get(source, source)})


@dataclass(slots=True)
class _File:
    """One file of a patch, and what is known of it in the versions asked for so far."""

    history: History
    side: Sides
    paths: frozenset[bytes]
    ask: Ask
    case: Case | None = field(init=False)
    blocks: tuple[_Block, ...] = field(init=False)
    answers: dict[tuple[bytes, Version | None, int], bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Cut the change into its edits, where it is one of text."""
        self.case = _case_of(self.side)
        self.blocks = (_Block((), None, None),) if self.case is None else _blocks(self.case)

    @property
    def path(self) -> bytes:
        """The path that people know the file by."""
        return self.side.change.path

    def sought(self, index: int) -> tuple[bytes, ...]:
        """Give what is to be counted for an edit, or for all of them."""
        if index != WHOLE:
            return self.blocks[index].sought
        return tuple(dict.fromkeys(line for block in self.blocks for line in block.sought))

    def has(self, index: int, state: Mapping[bytes, Version | None]) -> bool:
        """Whether the files have edit `index` (`WHOLE`: all of the change), under any of their names."""
        if all(version is None for version in state.values()):
            return self._has(index, self.path, None)
        return any(self._has(index, path, version) for path, version in state.items() if version is not None)

    def _has(self, index: int, path: bytes, version: Version | None) -> bool:
        chosen = self.blocks if index == WHOLE else self.blocks[index : index + 1]
        if version is not None and all(block.words is not None for block in chosen):
            data = self.history.read(version).data
            plain = {None if block.words is None else block.words.there(data) for block in chosen}
            if plain == {True} or False in plain:
                return plain == {True}
        return self._known(path, version, index, self.case if index == WHOLE else self.blocks[index].alone)

    def _known(self, path: bytes, version: Version | None, index: int, case: Case | None) -> bool:
        key = (path, version, index)
        if key not in self.answers:
            ours = None if version is None else self.history.read(version)
            self.answers[key] = _there(self.side, path, case, ours, self.ask)
        return self.answers[key]


@dataclass(frozen=True, slots=True)
class _Block:
    """One atomic edit: what to count for it, its very words, and the case that has it alone.

    A change that is no text has none of these; several edits taken together have no words.
    """

    sought: tuple[bytes, ...]
    words: Verbatim | None
    alone: Case | None


@dataclass(slots=True)
class _Edit:
    """One edit as a question for `turns`."""

    file: _File
    index: int
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
        sought = self.file.sought(self.index)
        if not sought:
            return version
        key = (path, version)
        if key not in self.signs:
            self.signs[key] = counts(self.file.history.read(version).data, sought)
        return self.signs[key]


def _there(side: Sides, path: bytes, case: Case | None, ours: FileState | None, ask: Ask) -> bool:
    answer = whole_file(path, side.base, side.theirs, ours)
    if isinstance(answer, Settled):
        return answer.fate is EditFate.ABSORBED
    if not isinstance(answer, NeedsContent) or case is None or ours is None:
        return False
    return ask(replace(case, ours_path=path, ours=ours.data))


def _case_of(side: Sides) -> Case | None:
    base, theirs = side.base, side.theirs
    if base is None or theirs is None or base.mode is not theirs.mode:
        return None
    if base.data == theirs.data or is_binary(base.data) or is_binary(theirs.data):
        return None
    path = side.change.path
    return Case(path=path, ours_path=path, base=base.data, theirs=theirs.data, ours=base.data)


def _blocks(case: Case) -> tuple[_Block, ...]:
    """Cut a text's change where unchanged lines stand between; a very large one in as many edits as are looked for."""
    old, new = split_lines(case.base), split_lines(case.theirs)
    regions = diff(old, new)
    size = -(-len(regions) // MOST_EDITS)
    groups = [regions[at : at + size] for at in range(0, len(regions), size)]
    return tuple(
        _Block(
            needles(case.base, case.theirs, group),
            verbatim(old, new, group[0]) if len(group) == 1 else None,
            _alone(case, old, new, group),
        )
        for group in groups
    )


def _alone(case: Case, old: Sequence[bytes], new: Sequence[bytes], group: Sequence[Region]) -> Case:
    made: list[bytes] = []
    at = 0
    for region in group:
        made += [*old[at : region.old_start], *new[region.new_start : region.new_end]]
        at = region.old_end
    return replace(case, theirs=b"".join([*made, *old[at:]]))
