"""Which commits of upstream brought the edits of a patch, or took them back: each verified against its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.queue.edits_sought import Budget, ByPieces, Find, OverBudgetError, SoughtFile, names
from patchq.queue.turns import Turn, turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from patchq.model.upstream import History
    from patchq.queue.edits_sought import SoughtEdit
    from patchq.queue.sides import Sides


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


def landings(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], find: Find = ByPieces) -> Named:
    """Name for each edit that the tip has the last commit that made it true: there it is, in its parent it is not.

    `sides` are the files of the patch on its own base, `places` where upstream has moved them since (path by path).
    An edit that landed, was reverted and landed again has the last landing. Edits that the tip lacks are left out.
    """
    return _named(history, sides, places, find, _landed)


def reverts(history: History, sides: Sequence[Sides], places: Mapping[bytes, bytes], find: Find = ByPieces) -> Named:
    """Name for each edit that the tip lacks the last commit that took it away: in its parent it was there.

    Takes what `landings` takes; edits that were never there are left out.
    """
    return _named(history, sides, places, find, _reverted)


def paths_of(sides: Sequence[Sides], places: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Name the paths whose history `landings` and `reverts` look at."""
    return frozenset(path for side in sides for path in names(side, places))


def _named(
    history: History,
    sides: Sequence[Sides],
    places: Mapping[bytes, bytes],
    find: Find,
    look: Callable[[History, SoughtFile], Iterator[Turn[bool] | None]],
) -> Named:
    found: list[Landing] = []
    unknown = 0
    budget = Budget()
    for side in sides:
        file = SoughtFile.of(history, side, places, find, budget)
        try:
            for turn in look(history, file):
                if turn is None:
                    unknown += 1
                else:
                    found.append(Landing(file.path, turn))
        except OverBudgetError:
            unknown += 1
    return Named(tuple(found), unknown)


def _landed(history: History, file: SoughtFile) -> Iterator[Turn[bool] | None]:
    """Yield the landing of each edit that the tip has, None where history does not show one."""
    tip = history.versions(history.tip, file.paths)
    all_there = file.whole.ask(tip)
    completed = _last(history, file.whole) if all_there else None
    for edit in file.edits:
        if all_there and (completed is None or not edit.ask(completed.old)):
            # What was not there before the whole was, and is a part of it ever since, came with it.
            yield completed
        elif all_there or edit.ask(tip):
            turn = _last(history, edit)
            yield turn if turn is not None and turn.after else completed


def _reverted(history: History, file: SoughtFile) -> Iterator[Turn[bool] | None]:
    """Yield the commit that took away each edit that the tip lacks, as far as it ever was there."""
    tip = history.versions(history.tip, file.paths)
    broken = _last(history, file.whole)
    for edit in file.edits:
        if edit.ask(tip):
            continue
        if broken is not None and not broken.after and not edit.ask(broken.new):
            yield broken
        elif (turn := _last(history, edit)) is not None and not turn.after:
            yield turn


def _last(history: History, edit: SoughtEdit) -> Turn[bool] | None:
    return next(turns(history, edit, edit.file.paths), None)


def _rank(history: History, turn: Turn[bool]) -> tuple[int, int]:
    """Order by when a commit came to the tip's own line, then by the commit itself."""
    line = turn.merges[0] if turn.merges else turn.step
    return history.rank(line.commit), history.rank(turn.step.commit)
