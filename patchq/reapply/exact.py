"""The exact rung: upstream still has the very text that the patch was made for."""

from __future__ import annotations

from patchq.model.attempt import Applied, Attempt, Case, Declined, Edit, EditFate, Evidence
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.spots import spot
from patchq.text.diff import diff
from patchq.text.lines import split_lines


def exact(case: Case) -> Attempt:
    """Take the patched text as it is where upstream's equals the base byte by byte."""
    if case.ours != case.base:
        return Declined("upstream has changed the file")
    edits = tuple(
        Edit(
            fate=EditFate.CARRIED,
            review=ReviewClass.A,
            anchor=spot(case.ours_path, region.new_start),
            how="upstream's file is unchanged",
        )
        for region in diff(split_lines(case.base), split_lines(case.theirs))
    )
    return Applied(case.theirs, Evidence(rung=Rung.EXACT, edits=edits))
