"""A whole series on a new upstream, in memory: patch by patch, all failures at once, nothing written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from patchq.model.attempt import Conflict, ConflictKind
from patchq.model.outcome import Answer, FileOutcome, PatchOutcome, Replay
from patchq.model.policy import Ruling
from patchq.model.resolution import Resolutions
from patchq.model.verdict import AbsorbedHow, Accept, ReviewClass, Rung, Verdict
from patchq.queue.carrying import Carrier, FileResult
from patchq.queue.landed import landed
from patchq.queue.lookout import Elsewhere
from patchq.queue.opened import opened
from patchq.queue.overlay import Overlay
from patchq.queue.recall import Lineage, answer_of, returned, without_base
from patchq.queue.refresh import describe, refreshed
from patchq.queue.resolving import resolved
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.queue.verdicts import patch_verdict
from patchq.reapply.describe import HashAlgorithm
from patchq.reapply.spots import decoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from patchq.model.names import PatchName
    from patchq.model.outcome import Asked
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.opened import Opened
    from patchq.queue.recall import Recall


class Place(Enum):
    """Whether the texts of later patches were made with a patch below them."""

    BELOW = "below"
    BESIDE = "beside"  # it was not carried where the series comes from, though its text fits there


@dataclass(frozen=True, slots=True)
class Task:
    """A patch to carry. `alone_on` is the tree that its text fits by itself, None: base after the patches before it.

    `recall` is there for a patch of the ledger, which is carried only if upstream no longer has it. `ruling` is what
    its policy says about this trip.
    """

    patch: Patch
    alone_on: TreeReader | None = None
    recall: Recall | None = None
    place: Place = Place.BELOW
    ruling: Ruling = field(default_factory=Ruling)


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """From where to where: two pristine trees, and how `renames` maps paths of the old one to the new one.

    `changed` names the files that differ between a base and `onto`, and those that are new; it is asked only when
    something has gone from a patched file. `resolutions` are used where the contents that they are for are in question.
    """

    base: TreeReader
    onto: TreeReader
    renames: Mapping[bytes, bytes] = field(default_factory=dict)
    accept: Accept = Accept.PROVEN
    algorithm: HashAlgorithm = HashAlgorithm.SHA1
    changed: Callable[[TreeReader], Sequence[bytes]] = lambda _: ()
    resolutions: Resolutions = field(default_factory=Resolutions)


def replay(tasks: Iterable[Task], journey: Journey) -> Replay:
    """Carry `tasks` in order from `journey.base` to `journey.onto`.

    A patch is carried whole or not at all. One that cannot be does not stop the run; a later one that fails on a file
    which it left open is `blocked` by it. Errors of reading trees pass through.
    """
    outcomes = []
    asked = []
    for turn in _played(tasks, journey):
        outcomes.extend([] if turn.outcome is None else [turn.outcome])
        asked.extend([] if turn.asked is None else [turn.asked])
    return Replay(tuple(outcomes), tuple(asked))


def open_patch(
    tasks: Iterable[Task], journey: Journey, name: PatchName
) -> tuple[tuple[PatchOutcome, ...], Opened | None]:
    """Replay `tasks` up to `name`; return the outcomes up to it, its own last, and what is in question of it.

    None where nothing is, or where the patch does not apply to its own base.
    """
    outcomes: list[PatchOutcome] = []
    for turn in _played(tasks, journey):
        if turn.outcome is not None:
            outcomes.append(turn.outcome)
            if turn.outcome.name == name:
                return tuple(outcomes), _opened(turn.task, journey, turn.state) if turn.outcome.open else None
    return tuple(outcomes), None


@dataclass(frozen=True, slots=True)
class _Played:
    """One task at its turn: the stacks before it, what became of it, and the answer of a retired patch."""

    task: Task
    state: _State
    outcome: PatchOutcome | None
    asked: Asked | None


def _played(tasks: Iterable[Task], journey: Journey) -> Iterator[_Played]:
    base = Overlay(journey.base)
    state = _State(base, base, Overlay(journey.onto))
    for task in tasks:
        answer, outcome = None, None
        if task.recall is None:
            tried = _guarded(task, journey, state) if task.ruling.guard else _one(task, journey, state)
            outcome = _decided(task, journey, state, tried)
        else:
            answer, outcome = _recalled(task, task.recall, journey, state)
        outcome = None if outcome is None else _ruled(task, outcome)
        yield _Played(task, state, outcome, answer)
        if outcome is not None:
            state = state.after(task, outcome)


def _decided(task: Task, journey: Journey, state: _State, outcome: PatchOutcome) -> PatchOutcome:
    """Let an open patch be what a person has made of the same contents before."""
    if not (outcome.open or outcome.needs_review) or not journey.resolutions.entries:
        return outcome
    asked = _opened(task, journey, state)
    resolution = None if asked is None else journey.resolutions.find(asked.key)
    if asked is None or resolution is None:
        return outcome
    return resolved(outcome, asked, resolution, journey.algorithm)


def _opened(task: Task, journey: Journey, state: _State) -> Opened | None:
    """Tell what is in question of a patch; what an open one would have changed below it counts as its base."""
    sides = sides_of(task.patch, state.lean if task.alone_on is None else task.alone_on)
    if isinstance(sides, Misfit) and task.alone_on is None:
        sides = sides_of(task.patch, state.old)
    if isinstance(sides, Misfit):
        return None
    carrier = _carrier(task, journey, state)
    return opened(task.patch, state.new, journey.renames, sides, [carrier.carry(side) for side in sides])


def _carrier(task: Task, journey: Journey, state: _State) -> Carrier:
    elsewhere = Elsewhere(task.alone_on or journey.base, journey.changed)
    return Carrier(task.patch, state.new, journey.onto, journey.renames, journey.algorithm, elsewhere)


def _guarded(task: Task, journey: Journey, state: _State) -> PatchOutcome:
    """Leave out a patch whose own condition does not hold.

    Its text goes along where it can, as if it were carried: later it comes back from a state that is not long gone, and
    on top of the patches that it stands on now.
    """
    tried = _one(task, journey, state)
    whole = tried.verdict in {Verdict.CLEAN, Verdict.MOVED, Verdict.ADAPTED} and not tried.needs_review
    verdict, patch = Verdict.GUARDED, task.patch
    paths = dict.fromkeys([change.path for change in patch.changes] or [b""])
    files = tuple(
        FileOutcome(path=path, old_path=None, verdict=verdict, rung=None, review=None, evidence=task.ruling.guard)
        for path in paths
    )
    return PatchOutcome(
        name=patch.name,
        before=patch,
        after=None,
        verdict=verdict,
        rung=None,
        review=None,
        files=files,
        fresh=tried.after if whole else None,
    )


def _ruled(task: Task, outcome: PatchOutcome) -> PatchOutcome:
    note = (task.ruling.note,) if task.ruling.note else ()
    return replace(outcome, policy=task.ruling.policy, notes=(*note, *outcome.notes))


def _recalled(task: Task, recall: Recall, journey: Journey, state: _State) -> tuple[Asked, PatchOutcome | None]:
    """Ask again for a patch of the ledger; with an outcome where the patch is told of, which is not always."""
    sides = None if task.alone_on is None else sides_of(task.patch, task.alone_on)
    if sides is None or isinstance(sides, Misfit):
        return without_base(task.patch, sides, journey.onto), None
    outcome = _one(task, journey, state)
    answer = answer_of(recall, outcome, sides, journey.onto, journey.renames)
    if answer.answer is Answer.RETURNED:
