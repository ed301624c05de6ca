"""Changes of files applied and reversed exactly as they are stated: existence, mode, symlinks, text and binary."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from patchq.errors import ApplyError, PatchFormatError
from patchq.model.change import BinaryBody, ChangeKind, TextBody
from patchq.model.tree import FileState, Mode
from patchq.patchfile.binary import apply_block
from patchq.reapply.describe import blob_id, hash_of
from patchq.reapply.hunks import apply_hunks, reverse_hunks

if TYPE_CHECKING:
    from patchq.errors import Where
    from patchq.model.change import Body, FileChange

_REVERSED = {
    ChangeKind.CREATE: ChangeKind.DELETE,
    ChangeKind.DELETE: ChangeKind.CREATE,
    ChangeKind.MODIFY: ChangeKind.MODIFY,
    ChangeKind.RENAME: ChangeKind.RENAME,
}


def apply_change(change: FileChange, state: FileState | None, *, where: Where) -> FileState | None:
    """Return what `change` makes of the file at its old path; None where there is none before or after.

    ApplyError when the file exists or is missing against the statement, has another type or a mode other than the one
    that is changed, or when its contents do not fit. Permissions that the change does not touch are kept.
    """
    if Mode.GITLINK in {change.old_mode, change.new_mode} or (state is not None and state.mode is Mode.GITLINK):
        raise ApplyError("submodules are not carried", where=where)
    match change.kind:
        case ChangeKind.CREATE:
            if state is not None:
                raise ApplyError("the file that the patch creates exists already", where=where)
            return FileState(change.new_mode or Mode.REGULAR, _new_data(change, b"", where))
        case ChangeKind.DELETE:
            present = _present(change, state, where)
            left = _new_data(change, present.data, where)
            if left:
                raise ApplyError(f"the patch deletes the file, but leaves {len(left)} bytes of it", where=where)
            return None
        case ChangeKind.MODIFY | ChangeKind.RENAME | ChangeKind.COPY:
            present = _present(change, state, where)
            return FileState(_new_mode(change, present, where), _new_data(change, present.data, where))
        case _:
            assert_never(change.kind)


def _present(change: FileChange, state: FileState | None, where: Where) -> FileState:
    if state is None:
        raise ApplyError("the file that the patch changes does not exist", where=where)
    if change.old_mode is not None and (change.old_mode is Mode.SYMLINK) != (state.mode is Mode.SYMLINK):
        raise ApplyError(f"the file has mode {state.mode.value}, not {change.old_mode.value}", where=where)
    return state


def _new_mode(change: FileChange, state: FileState, where: Where) -> Mode:
    old, new = change.old_mode, change.new_mode
    if new is None or new is old:
        return state.mode
    if old is not None and state.mode is not old:
        raise ApplyError(
            f"the mode is {state.mode.value}, but the patch changes {old.value} to {new.value}", where=where
        )
    return new


def _new_data(change: FileChange, data: bytes, where: Where) -> bytes:
    match change.body:
        case TextBody(hunks):
            return apply_hunks(hunks, data, where=where)
        case BinaryBody():
            return _binary(change, change.body, data, where)
        case _:
            assert_never(change.body)


def _binary(change: FileChange, body: BinaryBody, data: bytes, where: Where) -> bytes:
    """Apply a binary body where the old contents are proved to be the right ones, by their id or by the way back."""
    known = change.kind is ChangeKind.CREATE or _has_id(data, change.old_id)
    if known is False:
        raise ApplyError("the file is not the one that the binary patch was made for", where=where)
    made = apply_block(body.forward, data)
    if body.reverse is not None and apply_block(body.reverse, made) != data:
        raise ApplyError("the file is not the one that the binary patch was made for", where=where)
    if known is None and body.reverse is None:
        hint = "make the patch with `git diff --binary --full-index`"
        raise ApplyError("nothing in the binary patch says what it was made for", hint=hint, where=where)
    if change.kind is not ChangeKind.DELETE and _has_id(made, change.new_id) is False:
        raise PatchFormatError(f"the binary patch does not make the blob {change.new_id} that it states", where=where)
    return made


def _has_id(data: bytes, stated: str | None) -> bool | None:
    """Compare with a whole object id; None where the patch states none."""
    algorithm = None if stated is None else hash_of(stated)
    return None if algorithm is None else blob_id(data, algorithm) == stated


def reverse_change(change: FileChange) -> FileChange:
    """Return the change that undoes `change`; ApplyError for a copy, and for a binary patch with one side only."""
    path = change.path.decode("utf-8", "replace")
    if change.kind is ChangeKind.COPY:
        raise ApplyError(f"the copy {path} cannot be undone by its patch alone", hint="delete the file instead")
    return replace(
        change,
        kind=_REVERSED[change.kind],
        old_path=change.new_path,
        new_path=change.old_path,
        old_mode=change.new_mode,
        new_mode=change.old_mode,
        old_id=change.new_id,
        new_id=change.old_id,
        body=_reversed_body(change.body, path),
    )


def _reversed_body(body: Body, path: str) -> Body:
    match body:
        case TextBody(hunks):
            return TextBody(reverse_hunks(hunks))
        case BinaryBody(forward, reverse):
            if reverse is None:
                raise ApplyError(f"the binary patch of {path} has no way back", hint="make it with `git diff --binary`")
            return BinaryBody(reverse, forward)
        case _:
            assert_never(body)
