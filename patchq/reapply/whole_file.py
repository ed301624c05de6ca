"""Changes that are no text in text: files that come, go, change their type or mode, symlinks and binary contents."""

from __future__ import annotations

from dataclasses import dataclass

from patchq.model.attempt import Conflict, ConflictKind, EditFate
from patchq.model.tree import PLAIN, FileState, Mode
from patchq.reapply.spots import decoded
from patchq.text.lines import is_binary

_NAMES = {
    Mode.REGULAR: "file",
    Mode.EXECUTABLE: "executable file",
    Mode.SYMLINK: "symlink",
    Mode.GITLINK: "submodule",
}


@dataclass(frozen=True, slots=True)
class Settled:
    """The file's new state is known (None: no file); `how` says for people why."""

    state: FileState | None
    fate: EditFate
    how: str


@dataclass(frozen=True, slots=True)
class NeedsContent:
    """The patch changes a text that is still there: the ladder decides. `mode` is merged already."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class Open:
    """No state is right without a person."""

    conflict: Conflict


WholeFileAttempt = Settled | NeedsContent | Open


def whole_file(
    path: bytes, base: FileState | None, theirs: FileState | None, ours: FileState | None
) -> WholeFileAttempt:
    """Merge three states of one file as far as its text need not be looked into; None means that there is no file.

    `base` and `theirs` are before and after the patch, `ours` is upstream's, wherever it has the file now; `path`
    names the file in a conflict. What both sides did alike is absorbed, what only the patch did is carried.
    """
    if _has_submodule(base, theirs, ours):
        reason = "a submodule stands here, and patchq does not carry submodules"
        return _open(path, ConflictKind.UNPROVEN, reason, base, theirs, ours)
    if theirs == base:
        return Settled(ours, EditFate.ABSORBED, "the patch leaves the file as it was")
    if base is not None and theirs is not None and ours is not None and {base.mode, theirs.mode, ours.mode} <= PLAIN:
        return _plain(path, base, theirs, ours)
    if theirs == ours:
        return Settled(ours, EditFate.ABSORBED, f"upstream has {_deed(base, theirs)} in the same way")
    if ours == base:
        return Settled(theirs, EditFate.CARRIED, f"the patch has {_deed(base, theirs)}, which upstream has not touched")
    kind, reason = _dispute(base, theirs, ours)
    return _open(path, kind, reason, base, theirs, ours)


def _has_submodule(*sides: FileState | None) -> bool:
    return any(side is not None and side.mode is Mode.GITLINK for side in sides)


def _plain(path: bytes, base: FileState, theirs: FileState, ours: FileState) -> WholeFileAttempt:
    """Merge mode and contents apart; of three modes out of two, two are equal, so that a mode never clashes."""
    mode = ours.mode if theirs.mode is base.mode else theirs.mode
    if theirs.data != base.data and not any(is_binary(side.data) for side in (base, theirs, ours)):
        return NeedsContent(mode)
    if theirs.data == base.data:
        return _settled(FileState(mode, ours.data), ours)
    if ours.data in {base.data, theirs.data}:
        return _settled(FileState(mode, theirs.data), ours)
    reason = "upstream and the patch change binary contents in different ways"
    return _open(path, ConflictKind.CLASH, reason, base, theirs, ours)


def _settled(state: FileState, ours: FileState) -> Settled:
    parts = {"mode": state.mode is not ours.mode, "contents": state.data != ours.data}
    carried = " and ".join(part for part, differs in parts.items() if differs)
    if not carried:
        return Settled(ours, EditFate.ABSORBED, "upstream has made the same change")
    return Settled(state, EditFate.CARRIED, f"only the patch has changed the {carried}")


def _deed(base: FileState | None, theirs: FileState | None) -> str:
    """Say what the patch has done to a file as a whole, as a participle with its object."""
    if theirs is None:
        return "deleted the file"
    if base is None:
        return f"created the {_NAMES[theirs.mode]}"
    if base.mode is theirs.mode:
        return f"changed the {_NAMES[theirs.mode]}"
    return f"made the {_NAMES[base.mode]} a {_NAMES[theirs.mode]}"


def _dispute(base: FileState | None, theirs: FileState | None, ours: FileState | None) -> tuple[ConflictKind, str]:
    """Say why three different states, not all of them plain files, cannot be one."""
    if ours is None:
        return ConflictKind.GONE, "upstream has deleted what the patch changes"
    if theirs is None:
        return ConflictKind.CLASH, "the patch deletes what upstream has changed"
    if base is None:
        if theirs.data == ours.data:
            both = f"{theirs.mode.value} and {ours.mode.value}"
            return ConflictKind.OTHER_VALUE, f"upstream and the patch have created it with the modes {both}"
        return ConflictKind.OTHER_VALUE, "upstream and the patch have created it with different contents"
    if base.mode is theirs.mode is ours.mode:
        return ConflictKind.CLASH, "upstream and the patch let the symlink point to different targets"
    reason = f"the patch has {_deed(base, theirs)}, upstream has {_deed(base, ours)}"
    return ConflictKind.CLASH, reason


def _open(
    path: bytes,
    kind: ConflictKind,
    reason: str,
    base: FileState | None,
    theirs: FileState | None,
    ours: FileState | None,
) -> Open:
    return Open(
        Conflict(
            kind=kind,
            reason=reason,
            anchor=f"{decoded(path)}::",
            base=_data(base),
            theirs=_data(theirs),
            ours=_data(ours),
        )
    )


def _data(state: FileState | None) -> bytes:
    return b"" if state is None else state.data
