"""What upstream has made of a change that no rung can carry: taken it over and gone on, or taken over half of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.model.judgement import Need
from patchq.reapply.pieces import look_for, pieces
from patchq.reapply.summing import summed

if TYPE_CHECKING:
    from patchq.model.attempt import Case
    from patchq.model.judgement import EditFinding

_BOTH = {Need.ABSORBED, Need.NEEDED}


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Upstream has every edit, changed since or not."""

    edits: tuple[EditFinding, ...]


@dataclass(frozen=True, slots=True)
class HalfTaken:
    """Upstream has `edits`; the others are `rest`: base with those alone, which may be carried where all may not."""

    edits: tuple[EditFinding, ...]
    rest: Case


def second_look(case: Case) -> TakenOver | HalfTaken | None:
    """Judge edit by edit what the pristine upstream (`case.ours`) has; None where that says no more than the conflict.

    Half is said only where each edit is known to be there or not to be; all rests on likeness, so a person looks.
    """
    cut = pieces(case)
    looks = look_for(cut, case.ours)
    has = tuple(look.finding for look in looks if look.finding.need is Need.ABSORBED)
    if summed([look.standing for look in looks]) is Need.ABSORBED:
        return TakenOver(has)
    told = all(look.standing.firm for look in looks) and {look.finding.need for look in looks} == _BOTH
    if not told:
        return None
    left = [piece for piece, look in zip(cut.edits, looks, strict=True) if look.finding.need is Need.NEEDED]
    return HalfTaken(has, replace(case, theirs=cut.only(left)))
