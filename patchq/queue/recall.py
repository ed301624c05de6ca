"""A retired patch asked again: whether upstream still has it, has gone on from it, or has taken it back."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from patchq.model.outcome import Answer, Asked
from patchq.model.verdict import Accept, ReviewClass, Verdict
from patchq.queue.overlay import Overlay
from patchq.queue.sides import Misfit, sides_of, writes_of
from patchq.queue.unfit import is_there

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.judgement import UpstreamCommit
    from patchq.model.names import PatchName
    from patchq.model.outcome import PatchOutcome, Replay
    from patchq.model.patch import Patch
    from patchq.model.series import LedgerEntry
    from patchq.model.tree import FileState, TreeReader
    from patchq.queue.sides import Sides

_COMMITS_TOLD = 3
_DIGITS = 10
_WORD = re.compile(rb"\w\W*\w\W*\w")  # a bracket, or a lone number, stands in every file


class Lineage(Enum):
    """How the upstream that is asked stands to the one that was last seen to have the patch."""

    SAME = "same"  # the very same tree
    LATER = "later"  # its history holds that one
    OTHER = "other"  # older, or another line: it need not have had the patch at all


@dataclass(frozen=True, slots=True)
class Recall:
    """The ledger's entry of a patch that is asked again, and who is asked."""

    entry: LedgerEntry
    lineage: Lineage


def stack_of(base: TreeReader, patches: Sequence[Patch]) -> Overlay | Misfit:
    """Return `base` with `patches` applied in order: the tree that the text of a later one fits."""
    stack = Overlay(base)
    for patch in patches:
        sides = sides_of(patch, stack)
        if isinstance(sides, Misfit):
            return sides
        stack = stack.written(writes_of(sides))
    return stack


def answer_of(
    recall: Recall, outcome: PatchOutcome, sides: Sequence[Sides], onto: TreeReader, moved: Mapping[bytes, bytes]
) -> Asked:
    """Say what `outcome`, the patch carried like any other, means for one that upstream is known to have had.

    Code that upstream has taken over is upstream's to change: a history that holds the absorption and in which the
    place has another value, or is gone, has gone on from it. It was taken back where nothing of it is left.
    """
    name, verdict, seen = outcome.name, outcome.verdict, recall.entry.seen_at.ref
    if verdict is Verdict.ABSORBED or recall.lineage is Lineage.SAME:
        return Asked(name, Answer.ABSORBED, outcome=outcome)
    if verdict.carried or recall.lineage is Lineage.OTHER:
        return Asked(name, Answer.RETURNED, outcome=outcome)
    if verdict is Verdict.SUPERSEDED:
        since = f"upstream had it at {seen}, and has given it another content since"
    elif verdict is Verdict.ORPHANED:
        since = f"upstream had it at {seen}; what it changes is gone since"
    elif not _undone(sides, onto, moved):
        since = f"upstream had it at {seen}, and has changed the code around it since"
    else:
        return Asked(name, Answer.RETURNED, outcome=outcome)
    return Asked(name, Answer.CHANGED, since, outcome)


def returned(outcome: PatchOutcome, recall: Recall, accept: Accept) -> PatchOutcome:
    """Tell that the patch came back, and why. A part of it that comes back from later history waits for a look.

    Upstream may have cleaned up what it had taken over; to bring a piece of that back unseen would be wrong, while a
    patch of which nothing is left was taken back as a whole.
    """
    told = replace(outcome, notes=(_why(recall), *outcome.notes))
    if outcome.verdict is not Verdict.PARTIAL or recall.lineage is not Lineage.LATER:
        return told
    known = () if outcome.review is None else (outcome.review,)
    told = replace(told, review=ReviewClass.worst((ReviewClass.D, *known)))
    return replace(told, after=None, writes={}, held=True) if accept is Accept.PROVEN else told


def taken_back(replay: Replay, name: PatchName, commits: Sequence[UpstreamCommit]) -> Replay:
    """Put into a replay which commits took a returned patch back, newest first."""
    if not commits:
        return replay
    told = ", ".join(_named(commit) for commit in commits[:_COMMITS_TOLD])
    more = f" and {len(commits) - _COMMITS_TOLD} more" if len(commits) > _COMMITS_TOLD else ""
    note = f"taken back by {told}{more}"
    outcomes = (
        replace(one, notes=(*one.notes[:1], note, *one.notes[1:])) if one.name == name else one
        for one in replay.outcomes
    )
    asked = (replace(one, by=commits[0]) if one.name == name else one for one in replay.asked)
    return replace(replay, outcomes=tuple(outcomes), asked=tuple(asked))


def _named(commit: UpstreamCommit) -> str:
    number = "" if commit.pull_request is None else f" (#{commit.pull_request})"
    return f'{commit.commit[:_DIGITS]} "{commit.subject.removesuffix(number)}"{number}'


def without_base(patch: Patch, misfit: Misfit | None, onto: TreeReader) -> Asked:
    """Answer for a text whose base is not here (None) or does not fit it: `onto` has its lines, or nothing is known."""
    if is_there(patch, onto):
        return Asked(patch.name, Answer.ABSORBED)
    if misfit is None:
        return Asked(patch.name, Answer.UNKNOWN, "the upstream state that its text was made for is not here")
    return Asked(patch.name, Answer.UNKNOWN, f"its text does not apply to what it was made for: {misfit.error}")


def _why(recall: Recall) -> str:
    seen = recall.entry.seen_at.ref
    match recall.lineage:
        case Lineage.LATER | Lineage.SAME:
            return f"it is back from the ledger: upstream had it at {seen}, and has it no longer"
        case Lineage.OTHER:
            return f"it is back from the ledger: upstream has it at {seen}, and not here"
        case _:
            assert_never(recall.lineage)


def _undone(sides: Sequence[Sides], onto: TreeReader, moved: Mapping[bytes, bytes]) -> bool:
    """Whether upstream is as it was without the patch, as far as lines tell: no added one left, and removed ones back.

    Where neither is so, upstream has written the place anew.
    """
    removes = back = False
    for side in sides:
        before, after = _lines(side.base), _lines(side.theirs)
        path = side.change.old_path or side.change.path
        now = _lines(onto.read(moved.get(path, path))) | _lines(onto.read(side.change.path))
        if now & (after - before):
            return False
        removes = removes or bool(before - after)
        back = back or bool(now & (before - after))
    return back or not removes


def _lines(state: FileState | None) -> frozenset[bytes]:
    """Give the lines that say something, without what an indentation or a line end makes of them."""
    if state is None:
        return frozenset()
    return frozenset(line.strip() for line in state.data.split(b"\n") if _WORD.search(line))
