"""Three texts of one file outside of any series: merged by the ladder, or marked where a person must decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.model.attempt import Carried, Carry, Case, Conflict, ConflictKind, EditFate, Refused
from patchq.model.tree import FileState, Mode
from patchq.model.verdict import Accept, ReviewClass, Verdict
from patchq.queue.verdicts import carried_verdict, evidence_of, open_verdict
from patchq.reapply.both_ways import carry_both_ways
from patchq.reapply.claim import settled
from patchq.reapply.describe import diff_states
from patchq.reapply.ladder import carry
from patchq.reapply.marked import marked
from patchq.reapply.mirror import stale_copies
from patchq.reapply.parts import without_provable
from patchq.reapply.spots import decoded
from patchq.reapply.whole_file import NeedsContent, Open, Settled, whole_file
from patchq.text.conflict import render_conflict

if TYPE_CHECKING:
    from patchq.model.attempt import Edit
    from patchq.model.verdict import Rung
    from patchq.syntax.parse import Forest
    from patchq.text.conflict import Labels

MAX_BYTES = 64 << 20  # of one text; a merge by lines of that size takes a minute and 2 GB


class Ways(Enum):
    """Which side is a patch to the other one."""

    PATCH = "patch"  # theirs is a patch of base, ours the text that it is carried to
    BRANCHES = "branches"  # nobody knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """How conflicts are written; `size` is the number of characters of a marker, None for what is safe."""

    labels: Labels
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the ladder has made of a file; `review` says whether somebody has to look at it."""

    verdict: Verdict
    rung: Rung | None
    review: ReviewClass
    evidence: str
    edits: tuple[Edit, ...] = ()
    proofs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """The whole new file, proved or accepted."""

    data: bytes
    result: Result


@dataclass(frozen=True, slots=True)
class Unmerged:
    """No text to be taken as it is: `data` has a conflict at every place in question; ours' bytes where it is binary.

    `result` is what only waits for somebody's look; without one, `conflicts` say why there is none.
    """

    data: bytes
    conflicts: tuple[Conflict, ...]
    result: Result | None = None

    @property
    def verdict(self) -> Verdict:
        """One word for what became of the file."""
        return open_verdict(self.conflicts) if self.result is None else self.result.verdict


def merge_file(
    case: Case, marking: Marking, *, accept: Accept = Accept.PROVEN, ways: Ways = Ways.PATCH
) -> Merged | Unmerged:
    """Carry base -> theirs to ours. What is refused, and what needs a look that `accept` does not give, is marked."""
    sides = (case.base, case.theirs, case.ours)
    if max(map(len, sides)) > MAX_BYTES:
        return _open(case, f"more than {MAX_BYTES >> 20} MiB are too much to be merged")
    answer = whole_file(case.ours_path, *(FileState(Mode.REGULAR, side) for side in sides))
    match answer:
        case Settled(state=state, fate=fate, how=how):
            verdict = Verdict.ABSORBED if fate is EditFate.ABSORBED else Verdict.CLEAN
            result = Result(verdict=verdict, rung=None, review=ReviewClass.A, evidence=how)
            return Merged(b"" if state is None else state.data, result)
        case Open(conflict):
            return Unmerged(case.ours, (replace(conflict, base=b"", theirs=b"", ours=b""),))
        case NeedsContent():
            return _content(case, marking, accept, ways)
        case _:
            assert_never(answer)


def _content(case: Case, marking: Marking, accept: Accept, ways: Ways) -> Merged | Unmerged:
    def ladder(part: Case) -> Carry:
        forest = settled(part)
        carried = carry(part, forest) if ways is Ways.PATCH else carry_both_ways(part, forest)
        return _looked_through(carried, part, forest)

    def taken(carried: Carry) -> bool:
        return isinstance(carried, Carried) and (accept is Accept.REVIEW or not carried.evidence.review.needs_review)

    whole = ladder(case)
    if isinstance(whole, Carried) and taken(whole):
        return Merged(whole.data, _result(case, whole))
    left = without_provable(case, whole, ladder, taken)
    shown = marked(left)
    data = render_conflict(shown.chunks, marking.labels, style=shown.style, size=marking.size)
    match whole:
        case Carried():
            return Unmerged(data, (), _result(case, whole))
        case Refused(conflicts=conflicts):
            return Unmerged(data, conflicts)
        case _:
            assert_never(whole)


def _looked_through(carried: Carry, case: Case, forest: Forest) -> Carry:
    """Ask for a look where the patch copies a neighbour that upstream has changed since."""
    stale = stale_copies(case, forest) if isinstance(carried, Carried) else ()
    if not isinstance(carried, Carried) or not stale:
        return carried
    evidence = carried.evidence
    edits = tuple(replace(edit, review=ReviewClass.worst((edit.review, ReviewClass.D))) for edit in evidence.edits)
    return replace(carried, evidence=replace(evidence, edits=edits, notes=(*stale, *evidence.notes)))


def _result(case: Case, carried: Carried) -> Result:
    evidence = carried.evidence
    return Result(
        verdict=Verdict.ABSORBED if carried.absorbed is not None else _verdict(case, carried),
        rung=evidence.rung,
        review=evidence.review,
        evidence=evidence_of(carried) or "; ".join(evidence.notes),
        edits=evidence.edits,
        proofs=evidence.proofs,
        notes=evidence.notes,
    )


def _verdict(case: Case, carried: Carried) -> Verdict:
    before, after = (
        diff_states(case.path, FileState(Mode.REGULAR, old), case.path, FileState(Mode.REGULAR, new))
        for old, new in ((case.base, case.theirs), (case.ours, carried.data))
    )
    return carried_verdict(carried.evidence.rung, carried.evidence.edits, before, after)


def _open(case: Case, reason: str) -> Unmerged:
    anchor = f"{decoded(case.ours_path)}::"
    return Unmerged(case.ours, (Conflict(kind=ConflictKind.UNPROVEN, reason=reason, anchor=anchor),))
