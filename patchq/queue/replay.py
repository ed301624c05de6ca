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
        if task.ruling.guard:
            return answer, _guarded(task, journey, state)
        return answer, _decided(task, journey, state, returned(outcome, recall, journey.accept))
    whole = recall.entry.part_of is None  # of a half the rest is told, as partial
    told = whole and recall.lineage is Lineage.SAME and outcome.verdict is Verdict.ABSORBED
    return answer, replace(outcome, held=False) if told else None


@dataclass(frozen=True, slots=True)
class _State:
    """The stacks so far, and which files earlier patches have left open.

    `old` is base with all patches, `lean` base without the open ones: what a later patch stands on if it can do without
    them. `new` is upstream with the carried ones.
    """

    old: Overlay
    lean: Overlay
    new: Overlay
    open_files: Mapping[bytes, tuple[PatchName, ...]] = field(default_factory=dict)

    def after(self, task: Task, outcome: PatchOutcome) -> _State:
        """Go on to the next patch."""
        old = self.old if task.place is Place.BESIDE else _on_top(task, self.old)
        if outcome.open or task.place is Place.BESIDE:
            lean = self.lean
        elif self.lean is self.old:
            lean = old  # nothing is open so far: one stack, to which each patch is applied once
        else:
            lean = _on_top(task, self.lean)
        open_files = dict(self.open_files)
        if outcome.open:
            for path in _paths(outcome.before):
                open_files[path] = (*open_files.get(path, ()), outcome.name)
        return _State(old, lean, self.new.written(outcome.writes), open_files)


def _on_top(task: Task, stack: Overlay) -> Overlay:
    sides = sides_of(task.patch, stack) if task.alone_on is None else None
    return stack.written(writes_of(sides)) if isinstance(sides, tuple) else stack


def _one(task: Task, journey: Journey, state: _State) -> PatchOutcome:
    patch = task.patch
    sides = sides_of(patch, state.lean if task.alone_on is None else task.alone_on)
    if isinstance(sides, Misfit):
        needed = _needed(task, state)
        return _misfit(patch, sides) if not needed else _blocked(patch, needed)
    carrier = _carrier(task, journey, state)
    carried = [carrier.carry(side) for side in sides]
    results = [part for result in carried for part in (result, *result.also)]
    files = tuple(result.outcome for result in results)
    verdict = patch_verdict([file.verdict for file in files])
    blocked_by: tuple[PatchName, ...] = ()
    if verdict is Verdict.CONFLICT:
        clashing = [
            side.change.old_path or side.change.path
            for side, result in zip(sides, carried, strict=True)
            if result.outcome.conflicts
        ]
        blocked_by = tuple(dict.fromkeys(name for path in clashing for name in state.open_files.get(path, ())))
    outcome = PatchOutcome(
        name=patch.name,
        before=patch,
        after=None,
        verdict=Verdict.BLOCKED if blocked_by else verdict,
        rung=max((file.rung for file in files if file.rung is not None), key=_height, default=None),
        review=ReviewClass.worst(tuple(file.review for file in files if file.review is not None)),
        files=files,
        notes=tuple(note for file in files for note in file.notes),
        blocked_by=blocked_by,
    )
    if verdict is Verdict.ABSORBED:
        # A wrong `absorbed` loses the patch unseen, so one that rests on likeness waits for a look as well.
        outcome = replace(outcome, held=outcome.needs_review and journey.accept is Accept.PROVEN)
        hows = [result.absorbed for result in results if result.absorbed is not None]
        return replace(outcome, absorbed_how=max(hows, key=tuple(AbsorbedHow).index, default=None))
    if verdict.needs_person:
        return replace(outcome, review=None)
    outcome = _carried(outcome, results, carrier, journey)
    if outcome.verdict is Verdict.PARTIAL and outcome.after is not None:
        halves = zip(sides, carried, strict=True)
        return replace(outcome, landed=landed(patch, halves, journey.onto, journey.algorithm))
    return outcome


def _needed(task: Task, state: _State) -> tuple[PatchName, ...]:
    """Name the open patches without which this one does not apply; none if it does not apply with them either."""
    if task.alone_on is not None or isinstance(sides_of(task.patch, state.old), Misfit):
        return ()
    return tuple(dict.fromkeys(name for path in _paths(task.patch) for name in state.open_files.get(path, ())))


def _paths(patch: Patch) -> list[bytes]:
    """Name the files that a patch touches, by their old and new paths, sorted."""
    changes = patch.changes
    return sorted({path for change in changes for path in (change.old_path, change.new_path) if path is not None})


def _blocked(patch: Patch, needed: tuple[PatchName, ...]) -> PatchOutcome:
    """Report a patch that changes what an open one would have changed: not tried."""
    path = patch.changes[0].path
    reason = f"it changes what {', '.join(map(str, needed))} would have changed"
    file = FileOutcome(path=path, old_path=None, verdict=Verdict.BLOCKED, rung=None, review=None, evidence=reason)
    return PatchOutcome(
        name=patch.name,
        before=patch,
        after=None,
        verdict=Verdict.BLOCKED,
        rung=None,
        review=None,
        files=(file,),
        blocked_by=needed,
    )


def _carried(outcome: PatchOutcome, results: Sequence[FileResult], carrier: Carrier, journey: Journey) -> PatchOutcome:
    """Finish a patch that every file could be carried of: expectations, vacuity, review, and the refreshed text."""
    made = [pair for result in results for pair in result.writes.items()]
    # Files may change places: what leaves a path goes first.
    writes = {**{path: state for path, state in made if state is None}, **{p: s for p, s in made if s is not None}}
    unmet = _met_twice(made) or carrier.unmet(writes)
    if unmet:
        return _refused(outcome, unmet)
    if all(carrier.new.read(path) == state for path, state in writes.items()):
        nothing = Conflict(kind=ConflictKind.UNPROVEN, reason="carrying it would change nothing", anchor="")
        return _refused(outcome, nothing)
    if outcome.needs_review and journey.accept is Accept.PROVEN:
        return replace(outcome, held=True)
    after = outcome.before
    if any(result.touched for result in results):
        changes = tuple(
            change
            for result in results
            if result.outcome.verdict is not Verdict.ABSORBED
            for change in describe(result.turn, journey.algorithm)
        )
        after = refreshed(outcome.before, changes, journey.renames)
    return replace(outcome, after=after, writes=writes)


def _met_twice(made: Sequence[tuple[bytes, FileState | None]]) -> Conflict | None:
    """Refuse where two files' edits have come together in one, of which each would undo the other's."""
    counts = Counter(path for path, state in made if state is not None)
    path = next((path for path, count in counts.items() if count > 1), None)
    if path is None:
        return None
    reason = "edits of two files of the patch belong to this file now"
    return Conflict(kind=ConflictKind.CLASH, reason=reason, anchor=f"{decoded(path)}::")


def _refused(outcome: PatchOutcome, conflict: Conflict) -> PatchOutcome:
    file = outcome.files[0]
    first = replace(file, verdict=Verdict.CONFLICT, conflicts=(*file.conflicts, conflict), evidence=conflict.reason)
    return replace(outcome, verdict=Verdict.CONFLICT, review=None, files=(first, *outcome.files[1:]))


def _misfit(patch: Patch, misfit: Misfit) -> PatchOutcome:
    """Report a patch that does not fit the base that the series names."""
    error = misfit.error
    conflict = Conflict(
        kind=ConflictKind.UNPROVEN, reason=f"does not apply to its own base: {error}", anchor=error.where.file or ""
    )
    path = patch.changes[0].path if patch.changes else b""
    file = FileOutcome(
        path=path,
        old_path=None,
        verdict=Verdict.CONFLICT,
        rung=None,
        review=None,
        evidence=conflict.reason,
        conflicts=(conflict,),
    )
    return PatchOutcome(
        name=patch.name, before=patch, after=None, verdict=Verdict.CONFLICT, rung=None, review=None, files=(file,)
    )


def _height(rung: Rung) -> int:
    return tuple(Rung).index(rung)
