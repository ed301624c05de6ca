"""From the edits of a patch to one word for all of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from patchq.model.judgement import Need

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.reapply.standing import Standing

# Shares of a patch by weight. Where upstream has rewritten some of it, the rest speaks for the whole.
_ENOUGH = 0.25
_MUCH = 0.75
_LITTLE = 0.1


def summed(standings: Sequence[Standing]) -> Need:
    """Say what a tree makes of a patch.

    Partial is said only where the lines of one edit and the state before another are literally there: of 733 patches
    that were half taken all but 7 showed both, and of those that only seemed so one in ten was. A file that is gone
    (an orphaned edit that is literal) leaves the word to a person unless that is clear.
    """
    weights: defaultdict[tuple[Need, bool], float] = defaultdict(float)
    for one in standings:
        weights[one.need, one.firm] += one.weight
    literal = {one.need for one in standings if one.literal}
    total = sum(weights.values())
    # What only supports others: a removal whose surroundings are gone, a line in another form.
    supports = weights[Need.ABSORBED, False] + weights[Need.ORPHANED, False] + weights[Need.SUPERSEDED, False]
    there = weights[Need.ABSORBED, True] + supports
    open_ = weights[Need.NEEDED, True] + weights[Need.NEEDED, False]
    if {Need.ABSORBED, Need.NEEDED} <= literal:
        return Need.PARTIAL
    if Need.ORPHANED in literal:
        return Need.ORPHANED
    if not total:
        return Need.UNKNOWN
    blocked = any(one.need is Need.UNKNOWN and not one.firm for one in standings)
    firm = weights[Need.ABSORBED, True]
    if Need.ABSORBED in literal:
        absorbed = open_ <= _ENOUGH * total and there >= _ENOUGH * total
    else:
        absorbed = firm >= _ENOUGH * total and open_ <= _LITTLE * total
    if absorbed and not blocked and Need.NEEDED not in literal:
        return Need.ABSORBED
    if there <= _ENOUGH * open_ if Need.NEEDED in literal else open_ >= _MUCH * total and there <= _LITTLE * total:
        return Need.NEEDED
    rest = {one.need for one in standings if one.weight}
    if rest <= {Need.SUPERSEDED, Need.ORPHANED}:
        return Need.SUPERSEDED if Need.SUPERSEDED in rest else Need.ORPHANED
    return Need.UNKNOWN
