"""The files that `patchq merge-file` reads and writes: whole or not at all, also where the result replaces an input."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from patchq.errors import PatchqError, Where
from patchq.model.attempt import Case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_case(path: str, base: Path, theirs: Path, ours: Path) -> Case:
    """Read three sides of the file that is called `path` in its repository; PatchqError names one that cannot be."""
    name = os.fsencode(path)
    return Case(path=name, ours_path=name, base=_read(base), theirs=_read(theirs), ours=_read(ours))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PatchqError(f"cannot be read: {error.strerror}", where=Where(file=str(path))) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write beside `path` and rename, so that nobody ever finds half a file; its mode stays, a link is followed.

    What is no regular file (a pipe, a terminal) is written to as it is. PatchqError where the disk refuses.
    """
    try:
        target = path.resolve() if path.is_symlink() else path
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(data)
            return
        fresh = target.with_name(f".{target.name}.patchq-{os.getpid()}")
        with _removed_unless_renamed(fresh):
            # 0o666 is what the umask takes from, as for any new file.
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
                stream.write(data)
                if mode is not None:
                    os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            fresh.replace(target)
    except OSError as error:
        raise PatchqError(f"cannot be written: {error.strerror}", where=Where(file=str(path))) from error


@contextlib.contextmanager
def _removed_unless_renamed(fresh: Path) -> Iterator[None]:
    try:
        yield
    finally:
        fresh.unlink(missing_ok=True)
