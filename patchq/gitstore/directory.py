"""A plain folder as a TreeReader: an unpacked wheel or an installed package, with no git anywhere."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.errors import GitError
from patchq.gitstore.objects import LARGEST_OBJECT
from patchq.model.tree import FileState, Mode

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_SUCH_FILE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


@dataclass(frozen=True, slots=True)
class DirectoryTree:
    """The files below `root` (which may itself be a symbolic link) as git would store them."""

    root: Path

    def read(self, path: bytes) -> FileState | None:
        """Return the file at `path`; None where there is none, a folder, or something outside of the root.

        A link on the way is followed as long as it stays inside; a link at the end is read, not followed. GitError
        for a file that may not be read or is larger than `LARGEST_OBJECT`.
        """
        file = self._inside(path)
        return None if file is None else _read(file)

    def seconds(self, path: bytes) -> int | None:
        """Return when the file at `path` was changed last, in seconds since 1970; None where there is none."""
        file = self._inside(path)
        try:
            return None if file is None else int(file.lstat().st_mtime)
        except OSError as error:
            if error.errno in _NO_SUCH_FILE:
                return None
            raise GitError(f"{file} cannot be looked at: {error.strerror}") from error

    def _inside(self, path: bytes) -> Path | None:
        if b"\0" in path or any(part in (b"", b".", b"..") for part in path.split(b"/")):
            return None
        root = Path(os.path.realpath(self.root))
        asked = root / os.fsdecode(path)
        folder = Path(os.path.realpath(asked.parent))
        return folder / asked.name if folder.is_relative_to(root) else None

    def files(self) -> Iterator[bytes]:
        """Yield the paths of all files and links below the root, sorted folder by folder; `.git` is left out."""
        top = os.fsencode(os.path.realpath(self.root))
        for folder, below, names in os.walk(top):
            below[:] = sorted(name for name in below if name.lower() != b".git")
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), top)  # noqa: PTH118 - paths are bytes


def _read(file: Path) -> FileState | None:
    try:
        found = file.lstat()
        if stat.S_ISLNK(found.st_mode):
            return FileState(Mode.SYMLINK, os.fsencode(file.readlink()))
        if not stat.S_ISREG(found.st_mode):
            return None
        if found.st_size > LARGEST_OBJECT:
            raise GitError(f"{file} is too large to be looked into ({found.st_size >> 20} MiB)")
        mode = Mode.EXECUTABLE if found.st_mode & stat.S_IXUSR else Mode.REGULAR
        return FileState(mode, file.read_bytes())
    except OSError as error:
        if error.errno in _NO_SUCH_FILE:
            return None
        raise GitError(f"{file} cannot be read: {error.strerror}") from error
