"""Two states of a file as a change of the model, with git's blob ids, similarity and choice of binary."""

from __future__ import annotations

import hashlib
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

from patchq.errors import ApplyError
from patchq.model.change import ChangeKind, FileChange, TextBody
from patchq.model.tree import Mode
from patchq.patchfile.binary import literal_body
from patchq.text.diff import hunks
from patchq.text.lines import is_binary, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.change import Body
    from patchq.model.tree import FileState

_PIECE = 64  # bytes of a line that git's rename detection compares at a time


class HashAlgorithm(Enum):
    """What a repository names its objects by."""

    SHA1 = "sha1"
    SHA256 = "sha256"


def blob_id(data: bytes, algorithm: HashAlgorithm = HashAlgorithm.SHA1) -> str:
    """Return the id of a git blob with these bytes, in hex (gitformat-pack: hash of `blob SIZE NUL data`)."""
    digest = hashlib.new(algorithm.value, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def hash_of(object_id: str) -> HashAlgorithm | None:
    """Tell by its length what made a whole id; None for a shortened one."""
    return {40: HashAlgorithm.SHA1, 64: HashAlgorithm.SHA256}.get(len(object_id))


def diff_states(
    path_old: bytes,
    old: FileState | None,
    path_new: bytes,
    new: FileState | None,
    *,
    algorithm: HashAlgorithm = HashAlgorithm.SHA1,
) -> tuple[FileChange, ...]:
    """Describe how `old` at `path_old` becomes `new` at `path_new`, as `git diff --full-index --binary -M` would.

    Nothing where both are equal or absent; two changes, deletion and creation, where a file becomes a symlink or the
    other way round; else one. Different paths make a rename. ApplyError for submodules.
    """
    if Mode.GITLINK in {state.mode for state in (old, new) if state is not None}:
        path = (path_new if new else path_old).decode("utf-8", "replace")
        raise ApplyError(f"{path} is a submodule, which patchq does not carry")
    if old is None:
        return _created(path_new, new, algorithm) if new is not None else ()
    if new is None:
        return _deleted(path_old, old, algorithm)
    if (old.mode is Mode.SYMLINK) != (new.mode is Mode.SYMLINK):
        return (*_deleted(path_old, old, algorithm), *_created(path_new, new, algorithm))
    if path_old == path_new and old == new:
        return ()
    return (_kept(path_old, old, path_new, new, algorithm),)


def _created(path: bytes, new: FileState, algorithm: HashAlgorithm) -> tuple[FileChange]:
    new_id = blob_id(new.data, algorithm)
    return (
        FileChange(
            kind=ChangeKind.CREATE,
            old_path=None,
            new_path=path,
            new_mode=new.mode,
            old_id="0" * len(new_id),
            new_id=new_id,
            body=_body(b"", new.data),
        ),
    )


def _deleted(path: bytes, old: FileState, algorithm: HashAlgorithm) -> tuple[FileChange]:
    old_id = blob_id(old.data, algorithm)
    return (
        FileChange(
            kind=ChangeKind.DELETE,
            old_path=path,
            new_path=None,
            old_mode=old.mode,
            old_id=old_id,
            new_id="0" * len(old_id),
            body=_body(old.data, b""),
        ),
    )


def _kept(path_old: bytes, old: FileState, path_new: bytes, new: FileState, algorithm: HashAlgorithm) -> FileChange:
    """Describe a file that exists before and after; modes and ids only where git's form has a line for them."""
    edited = old.data != new.data
    stated = edited or old.mode is not new.mode
    moved = path_old != path_new
    return FileChange(
        kind=ChangeKind.RENAME if moved else ChangeKind.MODIFY,
        old_path=path_old,
        new_path=path_new,
        old_mode=old.mode if stated else None,
        new_mode=new.mode if stated else None,
        old_id=blob_id(old.data, algorithm) if edited else None,
        new_id=blob_id(new.data, algorithm) if edited else None,
        similarity=similarity(old.data, new.data) if moved else None,
        body=_body(old.data, new.data) if edited else TextBody(()),
    )


def _body(old: bytes, new: bytes) -> Body:
    return literal_body(old, new) if is_binary(old) or is_binary(new) else TextBody(hunks(old, new))


def similarity(old: bytes, new: bytes) -> int:
    """Return the percentage of equal pieces (lines, or 64 bytes of a longer one) that git prints for a rename."""
    if old == new:
        return 100
    before, after = Counter(_pieces(old)), Counter(_pieces(new))
    copied = sum(len(piece) * min(count, after[piece]) for piece, count in before.items())
    return copied * 100 // max(len(old), len(new))


def _pieces(data: bytes) -> Iterator[bytes]:
    text = data if is_binary(data) else data.replace(b"\r\n", b"\n")
    for line in split_lines(text):
        yield from (line[at : at + _PIECE] for at in range(0, len(line), _PIECE))
