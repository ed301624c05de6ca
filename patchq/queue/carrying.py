"""One file of one patch on its way: where upstream has it, what the ladder says, and what is left to write."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from patchq.model.anchor import Expect, Mirror
from patchq.model.attempt import Case, Conflict, ConflictKind, EditFate, Refused
from patchq.model.outcome import FileOutcome
from patchq.model.tree import FileState, Mode
from patchq.model.verdict import AbsorbedHow, ReviewClass, Rung, Verdict
from patchq.queue.lookout import look_out
from patchq.queue.overlay import Overlay
from patchq.queue.refresh import Turn, describe
from patchq.queue.route import Route, beside_contents, landed_beside
from patchq.queue.second_look import TakenOver, second_look
from patchq.queue.sides import leaving, parents
from patchq.queue.verdicts import absorbed_edits, carried_verdict, evidence_of, open_verdict, same_words
from patchq.reapply.claim import settled
from patchq.reapply.elsewhere import Unfollowed
from patchq.reapply.facts import anchor_stands, derive_facts
from patchq.reapply.ladder import carry
from patchq.reapply.mirror import follow_mirrors, stale_copies
from patchq.reapply.spots import decoded
from patchq.reapply.whole_file import NeedsContent, Open, Settled, whole_file
from patchq.syntax.parse import Forest
from patchq.text.lines import is_binary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.anchor import Fact
    from patchq.model.attempt import Carried, Trial
    from patchq.model.patch import Patch
    from patchq.model.tree import TreeReader
    from patchq.queue.lookout import Elsewhere
    from patchq.queue.sides import Sides
    from patchq.reapply.describe import HashAlgorithm
    from patchq.reapply.elsewhere import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class FileResult:
    """What became of one file. `turn` is its change on the new base; `touched`: the patch's text must follow.

    `also` is what became of definitions that upstream has moved from it to other files.
    """

    outcome: FileOutcome
    turn: Turn
    writes: Mapping[bytes, FileState | None] = field(default_factory=dict)
    touched: bool = False
    absorbed: AbsorbedHow | None = None
    also: tuple[FileResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Carrier:
    """Carries the files of `patch` into `new`, the stack so far on the pristine upstream `onto`.

    `elsewhere` is where to look for what has gone from a file; None: nowhere.
    """

    patch: Patch
    new: Overlay
    onto: TreeReader
    renames: Mapping[bytes, bytes]
    algorithm: HashAlgorithm
    elsewhere: Elsewhere | None = None

    def carry(self, sides: Sides) -> FileResult:
        """Carry one file change."""
        route = self._route(sides)
        taken = self._taken(route)
        if taken is not None:
            return self._open(route, taken)
        renamed = sides.change.old_path not in {None, route.here}
        if renamed and (route.moves or sides.theirs is None):
            reason = f"upstream has renamed what the patch {'deletes' if sides.theirs is None else 'moves elsewhere'}"
            return self._open(route, _conflict(ConflictKind.CLASH, reason, route.here))
        if route.moves and sides.theirs == sides.base and route.ours is not None:
            return self._settled(route, Settled(route.ours, EditFate.CARRIED, "renamed; the contents are upstream's"))
        if route.moves and route.ours is None and sides.theirs == sides.base:
            return self._open(route, _conflict(ConflictKind.GONE, "the file that the patch moves is gone", route.here))
        answer = whole_file(route.here, sides.base, sides.theirs, route.ours)
        match answer:
            case Settled():
                return self._settled(route, answer)
            case Open(conflict):
                return self._scattered(route, (conflict,)) or self._open(route, conflict)
            case NeedsContent(mode):
                return self._content(route, mode)
            case _:
                assert_never(answer)

    def unmet(self, writes: Mapping[bytes, FileState | None]) -> Conflict | None:
        """Return a conflict for the first `Expect:` that does not hold after `writes`."""
        after = self.new.written(writes)
        for intent in self.patch.intents:
            if isinstance(intent, Expect):
                state = after.read(self._place(intent.anchor.path.encode("utf-8", "surrogateescape")))
                if state is None or not anchor_stands(intent.anchor, state.data):
                    reason = f"Expect: {intent.anchor} is not there after application"
                    return Conflict(kind=ConflictKind.UNPROVEN, reason=reason, anchor=str(intent.anchor))
        return None

    def _place(self, path: bytes) -> bytes:
        return self.renames.get(path, path)

    def _taken(self, route: Route) -> Conflict | None:
        """Return a conflict where upstream has something else in the place that the patch needs for this file."""
        emptied = {self._place(path) for path in leaving(self.patch)}
        if route.moves and route.target not in emptied and self.new.read(route.target) is not None:
            reason = "upstream has another file where the patch moves this one"
            return _conflict(ConflictKind.OTHER_VALUE, reason, route.target)
        if route.sides.theirs is not None and route.ours is None:
            for parent in parents(route.target):
                if parent not in emptied and self.new.read(parent) is not None:
                    reason = "upstream has a file where the patch needs a folder"
                    return _conflict(ConflictKind.OTHER_VALUE, reason, parent)
        return None

    def _route(self, sides: Sides) -> Route:
        change = sides.change
        source = change.path if sides.base is None or change.old_path is None else change.old_path
        here = self._place(source)
        if self.new.read(here) is None and self.new.read(source) is not None:
            here = source  # an earlier patch of the series moves it there
        moves = change.new_path is not None and change.new_path != source
        return Route(sides, here, change.path if moves else here, self.new.read(here))

    def _settled(self, route: Route, answer: Settled) -> FileResult:
        if answer.fate is EditFate.ABSORBED and self._bled(route):
            return self._open(route, _bleed(route))
        turn = Turn(old_path=route.here, old=route.ours, new_path=route.target, new=answer.state)
        made = describe(turn, self.algorithm)
        absorbed = answer.fate is EditFate.ABSORBED and not route.moves
        unchanged = same_words(route.sides.changes, made)
        verdict = Verdict.ABSORBED if absorbed else Verdict.CLEAN if unchanged else Verdict.MOVED
        if not absorbed and (answer.fate is EditFate.ABSORBED or landed_beside(route, answer.state)):
            verdict = Verdict.PARTIAL
        outcome = FileOutcome(
            path=route.target,
            old_path=route.old_path,
            verdict=verdict,
            rung=None,
            review=ReviewClass.A,
            evidence=answer.how,
            facts=() if absorbed else facts_of(turn),
        )
        how = AbsorbedHow.TREE if absorbed else None
        return self._result(route, outcome, turn, how)

    def _content(self, route: Route, mode: Mode) -> FileResult:
        base, theirs, ours = route.sides.base, route.sides.theirs, route.ours
        if base is None or theirs is None or ours is None:
            msg = "contents can be merged only where all three sides have a file"
            raise ValueError(msg)
        path = route.sides.change.path
        case = Case(path=path, ours_path=route.here, base=base.data, theirs=theirs.data, ours=ours.data)
        mirrors = self._mirrors(path)
        forest = Forest() if mirrors else settled(case)
        mirrored = follow_mirrors(case, mirrors, forest)
        stale = () if mirrors else stale_copies(case, forest)
        notes = (*mirrored.notes, *stale)
        carried = carry(mirrored.case, None if mirrors else forest)
        if isinstance(carried, Refused):
            found = self._scattered(route, carried.conflicts) or self._taken_over(route, case, mode, carried)
            return found or self._open(route, *carried.conflicts, notes=notes, trials=carried.trials)
        if carried.absorbed is not None and self._bled(route):
            return self._open(route, _bleed(route), notes=notes, trials=carried.trials)
        turn = Turn(old_path=route.here, old=ours, new_path=route.target, new=FileState(mode, carried.data))
        left = beside_contents(route, mode)
        outcome = FileOutcome(
            path=route.target,
            old_path=route.old_path,
            verdict=self._verdict(route, carried, turn),
            rung=carried.evidence.rung,
            review=ReviewClass.D if stale else carried.evidence.review,
            evidence=evidence_of(carried) if carried.absorbed is None or not left else f"carried: {left}",
            notes=(*notes, *carried.evidence.notes),
            facts=() if carried.absorbed is not None else facts_of(turn, forest),
            trials=carried.trials,
            absorbed_edits=absorbed_edits(carried),
        )
        if mirrored.changed and outcome.verdict in {Verdict.CLEAN, Verdict.MOVED}:
            outcome = replace(outcome, verdict=Verdict.ADAPTED)
        return self._result(route, outcome, turn, carried.absorbed)

    def _verdict(self, route: Route, carried: Carried, turn: Turn) -> Verdict:
        if carried.absorbed is not None:
            # A file that upstream has the lines of may still have to be moved, or made executable.
            return Verdict.ABSORBED if turn.new == turn.old and not route.moves else Verdict.PARTIAL
        if landed_beside(route, turn.new):
            return Verdict.PARTIAL
        made = describe(turn, self.algorithm)
        return carried_verdict(carried.evidence.rung, carried.evidence.edits, route.sides.changes, made)

    def _result(self, route: Route, outcome: FileOutcome, turn: Turn, absorbed: AbsorbedHow | None) -> FileResult:
        if outcome.verdict is Verdict.ABSORBED:
            return FileResult(outcome=outcome, turn=turn, touched=True, absorbed=absorbed)
        sides = route.sides
        source = sides.change.path if sides.change.old_path is None else sides.change.old_path
        same_places = (route.here, route.target) == (source, sides.change.path)
        same_text = route.ours == sides.base and turn.new == sides.theirs and same_places
        writes: dict[bytes, FileState | None] = {}
        if route.moves:
            writes[route.here] = None
        writes[route.target] = turn.new
        return FileResult(outcome=outcome, turn=turn, writes=writes, touched=not same_text)

    def _taken_over(self, route: Route, case: Case, mode: Mode, refused: Refused) -> FileResult | None:
        """Ask of a conflict whether upstream has the change, or half of it, and has gone on: for a person's look."""
        pristine, ours = self.onto.read(route.here), route.ours
        known = open_verdict(refused.conflicts) is not Verdict.CONFLICT
        beside = ours is not None and beside_contents(route, mode)
        if known or pristine is None or ours is None or beside or self._mirrors(route.sides.change.path):
            return None
        found = second_look(replace(case, ours=pristine.data))
        if found is None:
            return None
        outcome = FileOutcome(
            path=route.target,
            old_path=route.old_path,
            verdict=Verdict.ABSORBED,
            rung=None,
            review=ReviewClass.E,
            evidence="upstream seems to have it, and has changed it since",
            notes=tuple(dict.fromkeys(f"{decoded(edit.path)}:{edit.line}: {edit.reason}" for edit in found.edits)),
            trials=refused.trials,
            absorbed_edits=tuple(dict.fromkeys(edit.anchor for edit in found.edits)),
        )
        if isinstance(found, TakenOver):
            nothing = Turn(old_path=route.here, old=ours, new_path=route.here, new=ours)
            return self._result(route, outcome, nothing, AbsorbedHow.SYNTAX)
        carried = carry(replace(found.rest, ours=ours.data))
        if isinstance(carried, Refused) or carried.absorbed is not None:
            return None
        turn = Turn(old_path=route.here, old=ours, new_path=route.target, new=FileState(mode, carried.data))
        part = replace(
            outcome,
            verdict=Verdict.PARTIAL,
            rung=carried.evidence.rung,
            review=ReviewClass.E,
            evidence=f"upstream seems to have some of it; the rest: {evidence_of(carried)}",
            facts=facts_of(turn),
        )
        return self._result(route, part, turn, None)

    def _scattered(self, route: Route, conflicts: Sequence[Conflict]) -> FileResult | None:
        """Follow what has gone from the file to other files, whole or not at all; None where that cannot be."""
        base, theirs, ours = route.sides.base, route.sides.theirs, route.ours
        gone = any(conflict.kind is ConflictKind.GONE for conflict in conflicts)
        if self.elsewhere is None or not gone or base is None or theirs is None or route.moves:
            return None
        if self._mirrors(route.sides.change.path):
            return None  # where the sibling went is another question
        data = b"" if ours is None else ours.data
        case = Case(path=route.here, ours_path=route.here, base=base.data, theirs=theirs.data, ours=data)
        forest = Forest()
        found = look_out(case, self.elsewhere, self.new, forest)
        if found is None:
            return None
        if isinstance(found, Unfollowed):
            reasons = dict.fromkeys((*conflicts[0].reason.split("; "), found.reason))
            told = replace(conflicts[0], reason="; ".join(reasons))
            return self._open(route, told, *conflicts[1:])
        results: list[FileResult] = []
        if found.rest is not None or theirs.mode is not base.mode:
            if ours is None:
                return None
            kept = theirs.data if found.rest is None else found.rest.theirs
            sides = replace(route.sides, theirs=FileState(theirs.mode, kept))
            results.append(replace(self, elsewhere=None).carry(sides))
        results.extend(self._part(route, part, forest) for part in found.parts)
        torn = next((result for result in results if result.outcome.conflicts), None)
        return torn or replace(results[0], also=tuple(results[1:]))

    def _part(self, route: Route, part: Part, forest: Forest) -> FileResult:
        """Carry the edits of definitions that are in another file now."""
        there = self._route(route.sides)
        state = self.new.read(part.case.ours_path)
        there = replace(there, here=part.case.ours_path, target=part.case.ours_path, ours=state)
        carried = carry(part.case, forest)
        if isinstance(carried, Refused):
            return self._open(there, *carried.conflicts, trials=carried.trials)
        if state is None or not part.landed(carried, forest):
            reason = "the edits of what upstream has moved here would land somewhere else"
            return self._open(there, _conflict(ConflictKind.UNPROVEN, reason, there.here), trials=carried.trials)
        unbound = part.unbound(carried)
        if unbound:
            reason = f"`{unbound[0]}` is used, but nothing in this file, to which upstream has moved it, defines it"
            return self._open(there, _conflict(ConflictKind.UNPROVEN, reason, there.here), trials=carried.trials)
        if carried.absorbed is not None and not self._upstreams_own(part.case, state):
            return self._open(there, _bleed(there), trials=carried.trials)
        turn = Turn(old_path=there.here, old=state, new_path=there.here, new=FileState(state.mode, carried.data))
        verdict = self._verdict(there, carried, turn)
        review = ReviewClass.worst((ReviewClass.D, carried.evidence.review, *part.reviews))
        outcome = FileOutcome(
            path=there.here,
            old_path=there.old_path,
            verdict=Verdict.ADAPTED if verdict in {Verdict.CLEAN, Verdict.MOVED} else verdict,
            rung=Rung.STRUCTURAL,
            review=review,
            evidence=evidence_of(carried),
            notes=part.notes,
            facts=() if carried.absorbed is not None else facts_of(turn, forest),
            trials=carried.trials,
            absorbed_edits=absorbed_edits(carried),
        )
        return self._result(there, outcome, turn, carried.absorbed)

    def _upstreams_own(self, case: Case, state: FileState) -> bool:
        """Whether the pristine upstream has all of it, and not only after earlier patches of the series."""
        pristine = self.onto.read(case.ours_path)
        if pristine is None or pristine == state:
            return pristine is not None
        answer = carry(replace(case, ours=pristine.data))
        return not isinstance(answer, Refused) and answer.absorbed is not None

    def _mirrors(self, path: bytes) -> Sequence[Mirror]:
        name = path.decode("utf-8", "surrogateescape")
        return [intent for intent in self.patch.intents if isinstance(intent, Mirror) and intent.anchor.path == name]

    def _bled(self, route: Route) -> bool:
        """Whether the file is there already only because an earlier patch of the series has made this change."""
        if self.onto.read(route.here) == route.ours:
            return False
        alone = replace(self, new=Overlay(self.onto))
        return alone.carry(route.sides).outcome.verdict is not Verdict.ABSORBED

    def _open(
        self, route: Route, *conflicts: Conflict, notes: Sequence[str] = (), trials: Sequence[Trial] = ()
    ) -> FileResult:
        outcome = FileOutcome(
            path=route.here,
            old_path=route.old_path if route.old_path != route.here else None,
            verdict=open_verdict(conflicts),
            rung=None,
            review=None,
            evidence=conflicts[0].reason,
            notes=tuple(notes),
            conflicts=conflicts,
            trials=tuple(trials),
        )
        turn = Turn(old_path=route.here, old=route.ours, new_path=route.here, new=route.ours)
        return FileResult(outcome=outcome, turn=turn)


def _conflict(kind: ConflictKind, reason: str, path: bytes) -> Conflict:
    return Conflict(kind=kind, reason=reason, anchor=f"{path.decode('utf-8', 'surrogateescape')}::")


def _bleed(route: Route) -> Conflict:
    reason = "nothing is left to change, but only because an earlier patch of the series does the same"
    return _conflict(ConflictKind.UNPROVEN, reason, route.here)


def facts_of(turn: Turn, forest: Forest | None = None) -> tuple[Fact, ...]:
    """Derive the facts of a text change; symlinks and binary files have none."""
    states = [state for state in (turn.old, turn.new) if state is not None]
    if turn.new is None or any(state.mode is Mode.SYMLINK or is_binary(state.data) for state in states):
        return ()
    return derive_facts(turn.new_path, b"" if turn.old is None else turn.old.data, turn.new.data, forest)
