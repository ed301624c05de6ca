"""From what happened to files to one word: the verdict of a file, and of a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.attempt import Conflict, ConflictKind, EditFate
from patchq.model.change import TextBody
from patchq.model.verdict import Rung, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patchq.model.attempt import Carried, Edit
    from patchq.model.change import FileChange


def open_verdict(conflicts: Sequence[Conflict]) -> Verdict:
    """Name what is open: all of it gone, all of it there with other values, or anything else."""
    kinds = {conflict.kind for conflict in conflicts}
    if kinds == {ConflictKind.OTHER_VALUE}:
        return Verdict.SUPERSEDED
    if kinds == {ConflictKind.GONE}:
        return Verdict.ORPHANED
    return Verdict.CONFLICT


def carried_verdict(
    rung: Rung, edits: Sequence[Edit], before: Sequence[FileChange], after: Sequence[FileChange]
) -> Verdict:
    """Name how a file was carried, from its rung and from whether the patch still says the same lines."""
    fates = {edit.fate for edit in edits}
    if fates == {EditFate.ABSORBED, EditFate.CARRIED}:
        return Verdict.PARTIAL
    match rung:
        case Rung.EXACT | Rung.OFFSET | Rung.THREE_WAY:
            return Verdict.CLEAN if same_words(before, after) else Verdict.MOVED
        case Rung.ANCHORED | Rung.STRUCTURAL:
            return Verdict.ADAPTED


def same_words(before: Sequence[FileChange], after: Sequence[FileChange]) -> bool:
    """Whether two descriptions of a file's change differ in line numbers, section headings and blob ids only."""
    return [_words(change) for change in before] == [_words(change) for change in after]


def _words(change: FileChange) -> object:
    body = change.body
    lines = tuple(hunk.lines for hunk in body.hunks) if isinstance(body, TextBody) else body
    return (change.kind, change.old_path, change.new_path, lines)


def patch_verdict(files: Sequence[Verdict]) -> Verdict:
    """Name the worst of its files; absorbed only if all of it is, partial if some of it is."""
    worst = max(files, key=lambda verdict: verdict.severity)
    if worst.needs_person:
        return worst
    if Verdict.ABSORBED in files and any(verdict.carried for verdict in files):
        return Verdict.PARTIAL
    return worst


def evidence_of(carried: Carried) -> str:
    """Put the edits into one line: how, and where if it is not where everybody expects it."""
    hows = tuple(dict.fromkeys(edit.how for edit in carried.evidence.edits))
    return "; ".join((*hows, *carried.evidence.proofs[:1])[:3])


def absorbed_edits(carried: Carried) -> tuple[str, ...]:
    """Return the anchors of the edits that upstream has, each once."""
    edits = carried.evidence.edits
    return tuple(dict.fromkeys(edit.anchor for edit in edits if edit.fate is EditFate.ABSORBED))
