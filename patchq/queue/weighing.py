"""From what was seen at anchors and hunks to one word for a file, and from files to one word for a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.verification import State
from patchq.reapply.fragments import HunkState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patchq.model.verification import AnchorSight

_OF_HUNKS = {
    HunkState.THERE: State.PRESENT,
    HunkState.LIKELY: State.PRESENT,
    HunkState.NOT_THERE: State.ABSENT,
    HunkState.UNLIKELY: State.ABSENT,
    HunkState.OTHER: State.DIVERGED,
    HunkState.NOTHING: State.TARGET_GONE,
}
# Where nothing is present, the first of these that was seen.
_WORST = (State.PARTIAL, State.DIVERGED, State.TARGET_GONE, State.ABSENT)


def summed_states(states: Iterable[State]) -> State:
    """Return the one word for several: present or partial only where something is; else what asks most of a person."""
    found = set(states)
    if found == {State.PRESENT}:
        return State.PRESENT
    if State.PRESENT in found:
        return State.PARTIAL
    return next((state for state in _WORST if state in found), State.PRESENT)


def file_state(anchors: Sequence[AnchorSight], hunks: Sequence[HunkState]) -> tuple[State, str]:
    """Weigh what was seen of a text file; with it, the reason in words.

    Anchors decide: lines in the right form may stand in the wrong place. Hunks speak where there are no anchors, and
    for what anchors do not tell: comments, or a second place with the same words.
    """
    if not anchors:
        state = summed_states(_OF_HUNKS[hunk] for hunk in hunks)
        return state, _by_lines(state, hunks)
    by_anchors = summed_states(sight.state for sight in anchors)
    if by_anchors is State.PRESENT and HunkState.NOT_THERE in hunks:
        if all(hunk is HunkState.NOT_THERE for hunk in hunks):
            return State.ABSENT, "every place has the lines from before the patch"
        return State.PARTIAL, "one of its places has the lines from before the patch"
    wrong = [sight for sight in anchors if sight.state is not State.PRESENT]
    if not wrong:
        return by_anchors, "every anchor has what the patch puts there"
    return by_anchors, "; ".join(f"{_inside(sight.anchor)} {_SAID[sight.state]}" for sight in wrong)


_SAID = {
    State.ABSENT: "is as it was before the patch",
    State.PARTIAL: "has only some of it",
    State.DIVERGED: "has another content",
    State.TARGET_GONE: "is gone",
}


def _by_lines(state: State, hunks: Sequence[HunkState]) -> str:
    match state:
        case State.PRESENT if HunkState.LIKELY in hunks:
            return "its lines stand there, among lines that have changed"
        case State.PRESENT:
            return "its lines stand there"
        case State.ABSENT:
            return "the lines from before the patch stand there"
        case State.PARTIAL:
            return "some of its lines stand there, others do not"
        case State.DIVERGED:
            return "neither the lines of the patch nor those from before it stand there"
        case _:
            return "nothing of what it changes is there"


def _inside(anchor: str) -> str:
    return anchor.partition("::")[2] or anchor.removesuffix("::")
