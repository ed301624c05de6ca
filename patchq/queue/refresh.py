"""A patch's text brought up to date: a new diff below the old head, and intents that follow a renamed file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.patchfile.mail import replace_diff
from patchq.patchfile.read import read_patch
from patchq.reapply.describe import HashAlgorithm, diff_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.patch import Patch
    from patchq.model.tree import FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One file as the patch changes it on its new base; a state of None means that there is no file."""

    old_path: bytes
    old: FileState | None
    new_path: bytes
    new: FileState | None


def describe(turn: Turn, algorithm: HashAlgorithm) -> tuple[FileChange, ...]:
    """Write one file's change as a patch does; empty where nothing changes."""
    return diff_states(turn.old_path, turn.old, turn.new_path, turn.new, algorithm=algorithm)


def refreshed(patch: Patch, changes: Sequence[FileChange], moved: Mapping[bytes, bytes]) -> Patch:
    """Return `patch` with `changes` as its diff; head and message keep their bytes.

    `moved` maps old paths to new ones: `Expect:` and `Mirror:` lines that name them are rewritten.
    """
    raw = replace_diff(patch.raw, changes)
    for old, new in moved.items():
        if old != new:
            intent = re.compile(rb"^((?:Expect|Mirror):[ \t]*)" + re.escape(old) + rb"(?=::)", re.MULTILINE)
            raw = intent.sub(rb"\g<1>" + new.replace(b"\\", rb"\\"), raw)
    return read_patch(patch.name, raw, file=patch.name.file_name)
