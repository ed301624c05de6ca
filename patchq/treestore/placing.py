"""One file put into its place in a tree: beside it first, then by a rename; never through a symbolic link."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from patchq.errors import PublishError, Where
from patchq.treestore.plan import digest, sync_folder

if TYPE_CHECKING:
    from pathlib import Path

    from patchq.treestore.plan import Step

_SUFFIX = ".patchq-new"


def contents(root: Path, path: bytes) -> bytes | None:
    """Return the bytes of the file at `path`; None where there is none. PublishError as `spot`."""
    place = spot(root, path)
    return place.read_bytes() if place.exists() else None


def spot(root: Path, path: bytes) -> Path:
    """Return where `path` is; PublishError where a part of it is a symbolic link, or it is no plain file."""
    place = root
    for part in path.split(b"/"):
        if os.path.lexists(place) and not place.is_dir():
            raise PublishError("is not a folder", where=Where(file=str(place)))
        place /= os.fsdecode(part)
        if place.is_symlink():
            raise PublishError(
                "is a symbolic link, and nothing is written through one",
                hint="apply to the tree that it leads to, or install the package as plain files",
                where=Where(file=str(place)),
            )
    if os.path.lexists(place) and not stat.S_ISREG(place.lstat().st_mode):
        raise PublishError("is no plain file", where=Where(file=str(place)))
    return place


def put(root: Path, step: Step, data: bytes | None) -> None:
    """Bring one file from its state before to that after `step`; done already is well.

    PublishError where it is in neither of them: somebody has edited it meanwhile.
    """
    place = spot(root, step.path)
    beside = place.with_name(f".{place.name}{_SUFFIX}")
    beside.unlink(missing_ok=True)
    there = digest(place.read_bytes() if place.exists() else None)
    if there == step.now:
        return
    if there != step.was:
        raise PublishError(
            "was changed while patchq was at work, or after it",
            hint="save your change elsewhere, bring the file back as it was, and run the command again",
            where=Where(file=str(place)),
        )
    if data is None:
        place.unlink()
    else:
        _make_folders(root, place.parent)
        _write(beside, data, step)
        beside.replace(place)
    sync_folder(place.parent)


def remove(root: Path, path: bytes) -> None:
    """Remove a file that may be gone already, such as bytecode."""
    spot(root, path).unlink(missing_ok=True)


def prune(root: Path, path: bytes) -> None:
    """Remove the folders of a removed file that are empty now, but for the root."""
    place = spot(root, path).parent
    while place != root and place.is_relative_to(root) and place.is_dir() and not any(place.iterdir()):
        place.rmdir()
        place = place.parent


def _make_folders(root: Path, folder: Path) -> None:
    missing = []
    while folder != root and not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        new.mkdir()
        above = new.parent.stat()
        _own(new, new.stat(), above.st_uid, above.st_gid)


def _write(beside: Path, data: bytes, step: Step) -> None:
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        _own(stream.fileno(), os.fstat(stream.fileno()), step.owner, step.group)
        os.fchmod(stream.fileno(), step.mode)  # behind chown, which clears some bits
        stream.flush()
        os.fsync(stream.fileno())


def _own(target: int | Path, found: os.stat_result, owner: int, group: int) -> None:
    """Give a new file its owner, where that is another one than the process makes."""
    if (found.st_uid, found.st_gid) != (owner, group):
        os.chown(target, owner, group)
