"""Which commits of upstream brought the edits of a patch, or took them back: each verified against its parent."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from enum import Enum
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
    for edit in _edits(history, sides, places, ask):
        tip = history.versions(history.tip, edit.file.paths)
        edit.wording = Wording.OWN
        if not edit.ask(tip):
            # Where it is recognised with the rest of the change only, it is looked for with the rest everywhere.
            edit.wording = Wording.WHOLE
            if not edit.ask(tip):
                continue
        turn = next(turns(history, edit, edit.file.paths), None)
        if turn is None:
            unknown += 1
        elif turn.after:
            found.append(Landing(edit.file.path, turn))
    return Named(tuple(found), unknown)


def reverts(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], ask: Ask = absorbed) -> Named:
    """Name for each edit that the tip lacks the last commit that took it away: in its parent it was there.

    Takes what `landings` takes; edits that were never there are left out.
    """
    found = [
        Landing(edit.file.path, turn)
        for edit in _edits(history, sides, places, ask)
        if (turn := next(turns(history, edit, edit.file.paths), None)) is not None and not turn.after
    ]
    return Named(tuple(found))


def paths_of(sides: Sequence[Sides], places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name the paths whose history `landings` and `reverts` look at."""
    return frozenset(path for side in sides for path in _names(side, places))


def _rank(history: History, turn: Turn[bool]) -> tuple[int, int]:
    """Order by when a commit came to the tip's own line, then by the commit itself."""
    line = turn.merges[0] if turn.merges else turn.step
    return history.rank(line.commit), history.rank(turn.step.commit)


def _edits(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], ask: Ask) -> Iterator[_Edit]:
    for side in sides:
        file = _File(history, side, _names(side, places), ask)
        for index in range(len(file.blocks)):
            yield _Edit(file, index)


def _names(side: Sides, places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name where a file may be: what the patch itself moves is there only under its new name."""
    change = side.change
    moves = change.kind in {ChangeKind.RENAME, ChangeKind.COPY}
    source = change.path if moves or change.old_path is None else change.old_path
    return frozenset({source, places.get(source, source)})


class Wording(Enum):
    """By what an edit is recognised: alone (`OWN`), with the whole change of its file (`WHOLE`), or by either."""

    OWN = "own"
    WHOLE = "whole"
    ANY = "any"


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

    def has(self, index: int, wording: Wording, state: Mapping[bytes, Version | None]) -> bool:
        """Whether the files have edit `index`, under any of their names."""
        if all(version is None for version in state.values()):
            return self._has(index, wording, self.path, None)
        return any(self._has(index, wording, path, version) for path, version in state.items() if version is not None)

    def _has(self, index: int, wording: Wording, path: bytes, version: Version | None) -> bool:
        block = self.blocks[index]
        if block.words is not None and version is not None:
            plain = block.words.there(self.history.read(version).data)
            if plain is not None:
                return plain
        own = len(self.blocks) > 1 and wording is not Wording.WHOLE and self._known(path, version, index, block.alone)
        return own or (
            (len(self.blocks) == 1 or wording is not Wording.OWN) and self._known(path, version, -1, self.case)
        )

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
    wording: Wording = Wording.ANY
    signs: dict[tuple[bytes, Version], Hashable] = field(default_factory=dict)

    def ask(self, state: Mapping[bytes, Version | None]) -> bool:
        """Whether it is there."""
        return self.file.has(self.index, self.wording, state)

    def sign(self, state: Mapping[bytes, Version | None]) -> Hashable:
        """Count the lines it gains and loses; of a file that is no text, the version is all there is to tell."""
        return tuple(
            (path, None if version is None else self._signed(path, version)) for path, version in sorted(state.items())
        )

    def _signed(self, path: bytes, version: Version) -> Hashable:
        sought = self.file.blocks[self.index].sought
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
