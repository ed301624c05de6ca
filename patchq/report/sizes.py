"""How large a patch is, in words: files, and lines added and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.change import LineKind, TextBody
from patchq.report.words import counted

if TYPE_CHECKING:
    from patchq.model.patch import Patch


def size_of(patch: Patch) -> str:
    """Write `2 files, 3 lines added, 1 removed`; a binary change is named as one."""
    bodies = [change.body for change in patch.changes]
    kinds = [line.kind for body in bodies if isinstance(body, TextBody) for hunk in body.hunks for line in hunk.lines]
    binary = sum(not isinstance(body, TextBody) for body in bodies)
    added, removed = kinds.count(LineKind.ADDED), kinds.count(LineKind.REMOVED)
    told = [counted(len(patch.changes), "file"), f"{counted(added, 'line')} added, {removed} removed"]
    return ", ".join([*told, *([f"{binary} binary"] if binary else [])])
